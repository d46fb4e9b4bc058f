module "m" {
  source = "./r1"
}
moved {
  from = module.m
  to   = module.m[0]
}
