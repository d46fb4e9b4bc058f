module "m" {
  source   = "./m"
  for_each = toset(["a", "n", "z"])
}
moved {
  from = module.old
  to   = module.m["n"]
}
