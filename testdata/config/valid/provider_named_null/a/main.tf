terraform {
  required_providers {
    null = { source = "hashicorp/mock", configuration_aliases = [null.peer] }
  }
}
resource "mock_thing" "x" {
  provider = null.peer
  name     = "x"
}
