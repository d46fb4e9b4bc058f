terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "name" {}
resource "mock_r" "deep" {
  name = "deep ${var.name}"
}
