module "m" {
  source = "./r1"
  count = 2
}
resource "terraform_data" "c" {
}
moved {
  from = module.m.terraform_data.r1
  to   = terraform_data.c
}
