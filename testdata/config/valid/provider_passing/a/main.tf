terraform {
  required_providers {
    mock = { source = "hashicorp/mock", configuration_aliases = [mock.peer] }
  }
}
module "b" {
  source    = "../b"
  providers = { mock = mock.peer }
}
resource "mock_thing" "x" {
  provider = mock.peer
  name     = "x"
}
