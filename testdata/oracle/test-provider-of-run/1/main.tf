terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}
resource "mock_bucket" "b" {
  name = "main"
}
