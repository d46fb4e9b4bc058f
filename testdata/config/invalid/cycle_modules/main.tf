locals { a = module.m.o }
module "m" {
  source = "./m"
  i      = local.a
}
