moved {
  from = terraform_data.q
  to   = terraform_data.z
}
resource "terraform_data" "q" {}
moved {
  from = terraform_data.counted[0]
  to   = terraform_data.z0
}
resource "terraform_data" "counted" { count = 1 }
moved {
  from = terraform_data.each["a"]
  to   = terraform_data.z1
}
resource "terraform_data" "each" { for_each = { a = 1 } }
moved {
  from = module.m
  to   = module.n
}
moved {
  from = module.m.terraform_data.x
  to   = terraform_data.x
}
module "m" { source = "./m" }
moved {
  from = module.k
  to   = module.k[0]
}
module "k" { source = "./m" }
removed {
  from = terraform_data.kept
}
resource "terraform_data" "kept" {}
removed {
  from = module.k
}
