terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_row" "unset" {
  name     = "unset"
  required = "c"
}

resource "mock_row" "equal" {
  name     = "equal"
  required = "c"
}
