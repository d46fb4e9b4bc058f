moved {
  from = terraform_data.b
  to   = terraform_data.c
}
resource "terraform_data" "a" {
}
resource "terraform_data" "c" {
  input = "b"
}
