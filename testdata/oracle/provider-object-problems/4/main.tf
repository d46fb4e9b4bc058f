terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

provider "mock" {
  token = "bad"
}

resource "mock_plain" "x" {
  name = "n"
}
