resource "terraform_data" "d" {
}
moved {
  from = terraform_data.a
  to   = terraform_data.d
}
resource "terraform_data" "b" {
  input = terraform_data.d.id
}
resource "terraform_data" "c" {
  for_each = toset(["k", "l"])
}
moved {
  from = terraform_data.c[0]
  to   = terraform_data.c["k"]
}
resource "terraform_data" "x" {
  count = 1
}
module "n" {
  source = "./m"
}
moved {
  from = module.m
  to   = module.n
}
