variable "on" {
  default = false
}
resource "terraform_data" "counted" {
  count = var.on ? 1 : 0
}
resource "terraform_data" "each" {
  for_each = toset(var.on ? ["a"] : [])
}
