module "m" {
  source = "./r1"
  for_each = toset(["x", "y"])
}
module "n" {
  source = "./r1"
  for_each = toset(["x", "y"])
}
moved {
  from = module.m["x"].terraform_data.r1
  to   = module.n["x"].terraform_data.r1
}
