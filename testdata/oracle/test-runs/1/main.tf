variable "x" {
  type = string
}
variable "y" {
  default = "why"
  validation {
    condition     = var.y != "bad"
    error_message = "y is bad"
  }
}
resource "terraform_data" "a" {
  input = var.x
}
resource "terraform_data" "b" {
  input = terraform_data.a.output
}
output "o" {
  value = terraform_data.b.output
}
output "id" {
  value = terraform_data.b.id
}
output "s" {
  value     = "secret"
  sensitive = true
}
