variable "dir" {
  default = "net"
}
locals {
  sources = { net = "./${var.dir}" }
}
module "a" {
  source = local.sources["net"]
}
module "b" {
  source = "./${join("/", ["sub"])}"
  below  = "${local.sources.net}/../sub/deep"
}
module "c" {
  source = "${path.module}/net"
}
