module "n" {
  source = "../r1"
}
