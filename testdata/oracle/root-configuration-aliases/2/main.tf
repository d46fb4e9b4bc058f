terraform {
  required_providers {
    mock = {
      source                = "xplan/mock"
      configuration_aliases = [mock.b]
    }
  }
}

resource "terraform_data" "a" {}
