terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
  provider_meta "mock" {
    tool = "case"
  }
}
provider "mock" {
  alias  = "two"
}
resource "mock_r" "a" {
  name = "a"
}
