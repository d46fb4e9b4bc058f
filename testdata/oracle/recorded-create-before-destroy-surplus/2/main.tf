resource "terraform_data" "a" {
  for_each = toset(["y"])
  input    = 1
}
resource "terraform_data" "b" {
  count            = 1
  triggers_replace = length(terraform_data.a) + 5
}
resource "terraform_data" "c" {
  for_each = toset(["y"])
  input    = 1
}
resource "terraform_data" "d" {
  count = 1
  input = length(terraform_data.c) + 5
}
