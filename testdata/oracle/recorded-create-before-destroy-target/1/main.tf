variable "v" { default = 1 }
resource "terraform_data" "x" {
  triggers_replace = var.v
}
resource "terraform_data" "z" {
}
