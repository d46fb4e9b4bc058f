variable "v" {
  validation {
    condition     = contains(["x0", "x1"], var.v)
    error_message = "Neither x0 nor x1."
  }
}
variable "w" {}
locals { on = false }
resource "terraform_data" "x" {
  count = var.w ? 1 : 0
  input = var.v
}
output "o" {
  value = var.v
  precondition {
    condition     = !local.on
    error_message = "On."
  }
}
