terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
resource "terraform_data" "d" { input = 1 }
output "o" { value = terraform_data.d.id }
