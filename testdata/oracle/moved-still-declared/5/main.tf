resource "terraform_data" "b" {
  count = 1
}
resource "terraform_data" "c" {
  for_each = toset(["x"])
}
moved {
  from = terraform_data.b
  to   = terraform_data.c["x"]
}
