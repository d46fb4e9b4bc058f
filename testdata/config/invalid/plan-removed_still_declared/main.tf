removed {
  from = terraform_data.kept
}
resource "terraform_data" "kept" {}
removed {
  from = module.k
}
module "k" { source = "./m" }
removed {
  from = module.k.terraform_data.x
}
