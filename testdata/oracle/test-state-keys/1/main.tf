variable "v" {
  default = 1
}
resource "terraform_data" "r" {
  input = var.v
}
output "id" {
  value = terraform_data.r.id
}
