variable "name" {}
resource "terraform_data" "in" {
  input = var.name
}
output "out" {
  value = terraform_data.in.output
}
output "second" {
  value = "2nd"
}
