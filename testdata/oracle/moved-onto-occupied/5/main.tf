module "a" {
  source = "./r1"
}
module "b" {
  source = "./r2"
}
