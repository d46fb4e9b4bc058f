resource "terraform_data" "b" {
  for_each = toset(["x", "y", "z"])
}
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
resource "terraform_data" "d" {
  count = 1
}
moved {
  from = terraform_data.c
  to   = terraform_data.d
}
resource "terraform_data" "g" {
  for_each = toset(["x", "y"])
}
moved {
  from = terraform_data.e["x"]
  to   = terraform_data.g["x"]
}
moved {
  from = terraform_data.f
  to   = terraform_data.g
}
