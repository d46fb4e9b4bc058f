variable "v" { default = 1 }
resource "terraform_data" "a" { input = var.v }
resource "terraform_data" "b" { input = 2 }
output "o" { value = terraform_data.a.input }
