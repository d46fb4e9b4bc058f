resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = "${terraform_data.a.output}-${count.index}"
}
check "fine" {
  assert {
    condition     = terraform_data.a.input == "a"
    error_message = "not a"
  }
}
output "o" { value = terraform_data.b[*].output }

variable "v" {
  default = 3
  validation {
    condition     = var.v < 2
    error_message = "Too large."
  }
}
resource "terraform_data" "v" { input = var.v }
