terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

data "mock_data" "v" {
  name = "v"
  text = "t"
}

data "mock_data" "vw" {
  name = "vw"
  text = "t"
}
