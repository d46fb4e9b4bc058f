variable "up" {}
resource "terraform_data" "in" {
  for_each = toset(["x", "y z", "q\"\\"])
  input    = "${var.up} ${each.key}"
}
output "id" { value = terraform_data.in["x"].id }
