terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

provider "mock" {
  token = "good"
}

resource "mock_apply" "x" {
  name = "n"
}
