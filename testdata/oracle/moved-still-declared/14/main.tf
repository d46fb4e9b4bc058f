resource "terraform_data" "b" {
  for_each = toset([lower("K")])
}
resource "terraform_data" "c" {
}
moved {
  from = terraform_data.b["k"]
  to   = terraform_data.c
}
moved {
  from = terraform_data.b["j"]
  to   = terraform_data.d
}
