module "m" {
  source = "./m"
  second = module.m.first
}
