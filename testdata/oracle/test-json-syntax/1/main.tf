variable "a" { 
 default = 1 
 validation {
  condition = var.a < 10
  error_message = "big"
 }
}
resource "terraform_data" "r" { input = var.a }
resource "terraform_data" "s" { input = var.a }
output "o" { value = [terraform_data.r.id, terraform_data.s.id] }
module "m" { source = "./m" }
output "m" { value = module.m.x }
data "terraform_remote_state" "x" {
  backend = "local"
  config = { path = "nope" }
}
