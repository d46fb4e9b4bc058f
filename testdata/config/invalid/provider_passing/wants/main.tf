terraform {
  required_providers {
    mock = {
      source                = "hashicorp/mock"
      configuration_aliases = [mock.east]
    }
  }
}
resource "mock_thing" "x" {
  provider = mock.east
  name     = "x"
}
resource "mock_thing" "y" {
  provider = mock.north
  name     = "x"
}
