module "n" {
  source = "./m2"
  for_each = toset(["j"])
}
moved {
  from = module.m["k"]
  to = module.gone["k"]
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
resource "terraform_data" "plain" {
  count = 0
  input = 1
}
moved {
  from = terraform_data.plain
  to = terraform_data.plain[0]
}
