resource "terraform_data" "y" {
  triggers_replace = "none"
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "z" {
}
