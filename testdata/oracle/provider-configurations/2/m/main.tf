terraform {
  required_providers {
    mock = {
      source                = "xplan/mock"
      configuration_aliases = [mock.other]
    }
  }
}
variable "key" {}
resource "mock_r" "in" {
  name = "in ${var.key}"
}
resource "mock_r" "other" {
  provider = mock.other
  name     = "other ${var.key}"
}
output "made" {
  value = mock_r.in.made
}
