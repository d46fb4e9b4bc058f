resource "terraform_data" "g" {
  triggers_replace = 1
}
resource "terraform_data" "d" {
  depends_on = [terraform_data.g]
  lifecycle {
    create_before_destroy = true
  }
}
