variable "v" {
  validation {
    condition = var.v == "x"
    error_message = "no"
  }
}
resource "terraform_data" "in" {
  input = var.v
  lifecycle {
    postcondition {
      condition     = self.input == "x"
      error_message = "No."
    }
  }
}
output "o" {
  value = var.v
  precondition {
      condition     = var.v == "x"
      error_message = "No."
  }
}
check "c" {
  assert {
    condition     = var.v == "x"
    error_message = "No."
  }
}
