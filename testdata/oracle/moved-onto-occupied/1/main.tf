resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
}
resource "terraform_data" "b" {
  for_each = toset(["z"])
}
resource "terraform_data" "c" {
}
resource "terraform_data" "d" {
  count = 1
}
resource "terraform_data" "e" {
  for_each = toset(["x"])
}
resource "terraform_data" "f" {
  for_each = toset(["x", "y"])
}
