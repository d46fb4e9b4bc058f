variable "n" {
  default = 0
}
resource "terraform_data" "x" {
  count = var.n
}
output "x" {
  value = length(terraform_data.x)
}
