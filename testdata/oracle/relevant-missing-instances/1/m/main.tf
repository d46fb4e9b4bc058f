variable "given" {}
resource "terraform_data" "in" {
  input = var.given
}
output "out" {
  value = terraform_data.in.output
}
output "id" {
  value = terraform_data.in.id
}
