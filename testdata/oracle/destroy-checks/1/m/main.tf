variable "x" {}
resource "terraform_data" "r" { input = var.x }
output "o" {
  value = terraform_data.r.output
  precondition {
    condition     = var.x != 7
    error_message = "Seven."
  }
}
