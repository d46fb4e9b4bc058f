module "c" {
  source = "./r2"
}
moved {
  from = module.b
  to   = module.c
}
moved {
  from = module.a
  to   = module.b
}
