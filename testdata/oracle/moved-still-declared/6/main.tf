resource "terraform_data" "b" {
  count = 0
}
resource "terraform_data" "c" {
}
moved {
  from = terraform_data.b
  to   = terraform_data.c
}
