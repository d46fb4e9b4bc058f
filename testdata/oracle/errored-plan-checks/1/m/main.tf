variable "x" { 
  type = string
  validation {
  condition = length(var.x) > 1
  error_message = "prec"
  }
}
resource "terraform_data" "in" { 
 input = var.x
 lifecycle {
 precondition {
  condition = var.x != 2
  error_message = "no"
 }
 }
}
check "cc" {
  assert {
  condition = var.x != 2
  error_message = "no"
 }
}
