module "n" {
  source = "./m2"
  for_each = toset(["j"])
}
moved {
  from = module.m
  to = module.n
}
moved {
  from = terraform_data.a
  to = terraform_data.b
}
moved {
  from = terraform_data.e
  to = terraform_data.f
}
resource "terraform_data" "f" {
  for_each = toset(["y"])
}
resource "terraform_data" "other" {
  count = 1
  input = 1
}
moved {
  from = terraform_data.plain
  to = terraform_data.other
}
