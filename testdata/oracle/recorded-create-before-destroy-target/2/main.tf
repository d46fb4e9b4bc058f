variable "v" { default = 1 }
resource "terraform_data" "x" {
  triggers_replace = var.v
}
resource "terraform_data" "y" {
  triggers_replace = terraform_data.x.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "z" {
}
