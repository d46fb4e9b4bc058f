terraform {
  required_providers {
    mock = { source = "hashicorp/mock" }
  }
}
provider "mock" {
  region = "own"
}
resource "mock_thing" "x" {
  name = "x"
}
