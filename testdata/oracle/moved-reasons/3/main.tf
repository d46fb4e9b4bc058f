module "n" {
  source = "./m2"
  for_each = toset(["k"])
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
  for_each = toset(["x"])
}
resource "terraform_data" "other" {
  count = 0
  input = 1
}
moved {
  from = terraform_data.plain
  to = terraform_data.other[0]
}
