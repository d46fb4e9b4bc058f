variable "n" {
  default = 1
  validation {
    condition     = var.n < 10
    error_message = "Too large."
  }
}
resource "terraform_data" "a" {
  input = var.n
}
resource "terraform_data" "b" {
  input = var.n
  lifecycle {
    precondition {
      condition     = var.n != 5
      error_message = "Not 5."
    }
  }
}
check "six" {
  assert {
    condition     = var.n != 6
    error_message = "Not 6."
  }
}
output "o" {
  value = terraform_data.a.input
}
