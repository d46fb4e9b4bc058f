variable "me" {}
variable "given" {}
resource "terraform_data" "inner" {
  input = "${var.me} got ${var.given}"
}
resource "terraform_data" "beside" {
  input = var.me
}
output "made" {
  value = terraform_data.inner.output
}
