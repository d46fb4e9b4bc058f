module "m" {
  source = "./in"
  count = 2
}
