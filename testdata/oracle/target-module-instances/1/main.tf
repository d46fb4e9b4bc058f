variable "v" {
  default = 2
}
module "m" {
  source   = "./m"
  for_each = toset(["one", "two"])
  v        = var.v
}
