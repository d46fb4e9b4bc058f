variable "a" { default = "main" }
resource "terraform_data" "r" { input = var.a }
output "o" { value = terraform_data.r.output }
