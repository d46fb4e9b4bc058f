resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  input    = 1
}
resource "terraform_data" "b" {
  count            = 2
  triggers_replace = 1
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "c" {
  for_each = toset(["x", "y"])
  input    = 1
}
resource "terraform_data" "d" {
  count = 2
  input = 1
  lifecycle {
    create_before_destroy = true
  }
}
