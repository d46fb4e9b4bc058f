variable "n" {
  type = number
}
resource "terraform_data" "a" {
  count = var.n
}
resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by = [terraform_data.a]
  }
}
