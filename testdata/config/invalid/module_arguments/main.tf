module "m" {
  source     = "./m"
  count      = 1
  for_each   = {}
  depends_on = [terraform_data.nope]
  providers  = []
  foo {}
  lifecycle {}
  locals {}
}
module "n" {
  source    = "./m"
  providers = { terraform = terraform.nope, terraform.q = terraform, 5 = terraform, terraform = terraform }
}
module "misspelt" {
  sorce = "./child"
}
