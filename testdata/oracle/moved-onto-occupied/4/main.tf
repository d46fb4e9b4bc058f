module "b" {
  source = "./r12"
}
moved {
  from = module.a
  to   = module.b
}
module "f" {
  source = "./all"
}
moved {
  from = module.e
  to   = module.f
}
module "h" {
  source = "./all"
}
moved {
  from = module.g
  to   = module.h
}
module "l" {
  source = "./r12"
  for_each = toset(["x", "y"])
}
moved {
  from = module.k
  to   = module.l
}
module "p" {
  source = "./r12"
}
moved {
  from = terraform_data.q
  to   = module.p.terraform_data.r2
}
moved {
  from = module.o
  to   = module.p
}
