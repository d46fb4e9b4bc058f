resource "terraform_data" "a" {
  input = "a"
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "b" {
  count = 1
  input = "b"
}
