terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_secret" "a" {
  secret = "two"
}
