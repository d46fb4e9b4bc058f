module "m" {
  source   = "./m"
  for_each = toset(["a", "z"])
}
module "old" {
  source = "./m"
}
