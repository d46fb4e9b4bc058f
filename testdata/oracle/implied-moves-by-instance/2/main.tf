module "m" {
  source   = "./m"
  for_each = toset(["a", "z"])
}
module "old" {
  source = "./m"
}
moved {
  from = module.m["a"].terraform_data.b[1]
  to   = module.m["a"].terraform_data.c
}
