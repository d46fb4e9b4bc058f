resource "terraform_data" "b" {
}
resource "terraform_data" "c" {
  for_each = toset(["x"])
}
moved {
  from = terraform_data.b[0]
  to   = terraform_data.c["x"]
}
