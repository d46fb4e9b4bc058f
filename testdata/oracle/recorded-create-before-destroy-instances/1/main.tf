variable "v" { default = 1 }
resource "terraform_data" "a" {
  count = 2
  input = var.v
}
resource "terraform_data" "b" {
  triggers_replace = terraform_data.a[0].id
  lifecycle {
    create_before_destroy = true
  }
}
