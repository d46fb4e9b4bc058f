variable "n" { default = 2 }
resource "terraform_data" "a" {
  count            = var.n
  triggers_replace = var.n
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a[*].id
}
