terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}
variable "region" {
  default = "r"
}
resource "mock_bucket" "setup" {
  name = "setup"
}
output "region" {
  value = mock_bucket.setup.id
}
