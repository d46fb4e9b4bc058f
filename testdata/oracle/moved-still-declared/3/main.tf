resource "terraform_data" "b" {
  for_each = toset(["y"])
}
resource "terraform_data" "c" {
  for_each = toset(["x"])
}
moved {
  from = terraform_data.b["x"]
  to   = terraform_data.c["x"]
}
