terraform {
  required_providers {
    mock = {
      source                = "xplan/mock"
      configuration_aliases = [mock.b]
    }
  }
}

provider "mock" {
  alias = "b"
}

resource "terraform_data" "a" {}
