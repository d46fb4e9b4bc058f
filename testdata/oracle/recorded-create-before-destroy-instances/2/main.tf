resource "terraform_data" "b" {
  triggers_replace = "none"
  lifecycle {
    create_before_destroy = true
  }
}
