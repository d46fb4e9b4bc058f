variable "n" {}
resource "terraform_data" "x" { input = var.n }
output "o" { value = terraform_data.x.output }
output "s" { 
 value = "secret" 
 sensitive = true
}
