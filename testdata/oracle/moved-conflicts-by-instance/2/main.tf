moved {
  from = terraform_data.a
  to   = module.w["one"].terraform_data.new
}
module "w" {
  source   = "./w"
  for_each = toset(["one", "two"])
}
