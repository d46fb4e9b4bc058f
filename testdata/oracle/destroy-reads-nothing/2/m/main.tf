variable "v" {}
resource "terraform_data" "z" {
  input = var.v
}
output "q" { value = "${var.v}-" }
