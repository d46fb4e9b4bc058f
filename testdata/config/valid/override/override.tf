variable "word" { default = "from override.tf" }
output "size" { value = "size ${var.size}" }
module "m" { v = "overridden" }
provider "mock" { region = "new" }
resource "mock_thing" "svc" {
  size = var.size
}
terraform {
  required_providers {
    mock = { source = "hashicorp/mock" }
  }
}
