variable "v" {
  default = 1
}
module "m" {
  source   = "./m"
  for_each = toset(["one", "two"])
  v        = var.v
}
