module "m" {
  source   = "./m"
  for_each = toset(["a", "y"])
}
module "old" {
  source = "./m"
}
moved {
  from = module.m["z"]
  to   = module.m["y"]
}
moved {
  from = module.m["z"].terraform_data.b[1]
  to   = module.m["z"].terraform_data.c
}
