variable "n" { default = 0 }
resource "terraform_data" "ok" { input = "fine" }
resource "terraform_data" "r" { 
 input = 1 
 lifecycle {
  precondition {
   condition = var.n > 5
   error_message = "too small"
  }
 }
}
