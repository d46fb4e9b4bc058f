variable "on" {
  default = false
}
resource "terraform_data" "maybe" {
  count = var.on ? 1 : 0
  input = "on"
}
output "maybe" {
  value = one(terraform_data.maybe[*].output)
}
