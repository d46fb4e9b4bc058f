terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
provider "mock" {}
resource "mock_r" "in" {
  name = "in"
}
