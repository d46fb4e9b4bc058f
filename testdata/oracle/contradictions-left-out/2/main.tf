resource "terraform_data" "other" {}
resource "terraform_data" "x" {}
resource "terraform_data" "y" {}
resource "terraform_data" "z" {
  count = 0
}
module "m" {
  source = "./m"
}
module "n" {
  source = "./m"
}
moved {
  from = terraform_data.x
  to   = terraform_data.y
}
moved {
  from = terraform_data.z
  to   = terraform_data.w
}
moved {
  from = module.m
  to   = module.n
}
