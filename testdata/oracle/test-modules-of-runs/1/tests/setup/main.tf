variable "b" {}
resource "terraform_data" "s" { 
 input = var.b 
 lifecycle {
  postcondition {
   condition = self.output != "bad"
   error_message = "is bad"
  }
 }
}
output "so" { value = terraform_data.s.output }
module "inner" { source = "./inner" }
