terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

provider "mock" {
  token = "good"
}

data "mock_read" "x" {
  name = "n"
}
