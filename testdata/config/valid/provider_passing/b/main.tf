terraform {
  required_providers {
    mock = { source = "hashicorp/mock" }
  }
}
resource "mock_thing" "x" {
  name = "x"
}
