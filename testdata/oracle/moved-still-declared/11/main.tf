module "m" {
  source = "./r1"
  count = 0
}
resource "terraform_data" "c" {
}
moved {
  from = module.m
  to   = module.n
}
