terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_row" "required_missing" {
  name = "required_missing"
}
