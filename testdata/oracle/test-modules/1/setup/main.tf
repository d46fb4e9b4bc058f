variable "p" {}
resource "terraform_data" "s" {
  input = var.p
}
output "v" {
  value = terraform_data.s.output
}
