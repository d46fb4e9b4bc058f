variable "v" {}
resource "terraform_data" "x" {
  count = var.v
  input = "x${count.index}-${var.v}"
}
resource "terraform_data" "y" {
  input = terraform_data.x[*].id
}
