module "m" {
  source = "./w"
}
moved {
  from = module.n
  to   = module.m
}
moved {
  from = module.m[0]
  to   = module.n
}
