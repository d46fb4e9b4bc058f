module "m" {
  source = "./w"
  count  = 1
}
