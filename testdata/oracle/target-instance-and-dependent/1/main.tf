variable "v" { default = 1 }
resource "terraform_data" "g" {
  count = 2
  input = var.v
}
resource "terraform_data" "d" {
  depends_on = [terraform_data.g]
}
