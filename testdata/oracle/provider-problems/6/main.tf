terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

data "mock_data" "e" {
  name = "e"
  text = "t"
}

data "mock_data" "w" {
  name = "w"
  text = "t"
}

data "mock_data" "ok" {
  name = "ok"
  text = "t"
}
