variable "name" {}
variable "size" { default = 2 }
resource "terraform_data" "x" { input = var.name }
output "id" { value = terraform_data.x.id }
