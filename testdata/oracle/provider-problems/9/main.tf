terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

provider "mock" {
  region = "unreachable"
}
data "mock_data" "ok" {
  name = "ok"
  text = "t"
}
