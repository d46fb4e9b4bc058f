variable "up" {}
resource "terraform_data" "route" { input = var.up }
resource "terraform_data" "beside" {}
output "id" { value = terraform_data.route.id }
