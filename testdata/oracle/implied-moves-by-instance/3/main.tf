module "m" {
  source   = "./m"
  for_each = toset(["a", "z"])
}
module "old" {
  source = "./m"
}
moved {
  from = module.m["q"].terraform_data.b[1]
  to   = module.m["q"].terraform_data.c
}
