variable "protected" {
  default = true
}
resource "terraform_data" "x" {
  for_each = toset(["a"])
  lifecycle {
    prevent_destroy = var.protected && each.key == "a"
  }
}
resource "terraform_data" "y" {
  lifecycle {
    prevent_destroy = terraform_data.y.id == null
  }
}
