variable "required" {}
variable "secret" {
  default   = "./net"
  sensitive = true
}
locals {
  turn    = local.around
  around  = local.turn
  version = "not a version"
}
resource "terraform_data" "x" {}
module "of_resource" {
  source = terraform_data.x.output
}
module "without_value" {
  source = var.required
}
module "misspelt" {
  source = "./${local.versoin}"
}
module "around" {
  source = local.turn
}
module "secret" {
  source = var.secret
}
module "empty" {
  source = trimspace(" ")
}
module "number" {
  source = [local.version]
}
module "local_with_version" {
  source  = "./${join("", ["other"])}"
  version = "1.0"
}
module "version" {
  source  = "acme/net/aws"
  version = local.version
}
module "passed" {
  source = "./net"
  dir    = terraform_data.x.output
}
module "per_instance" {
  source   = "./${each.key}"
  for_each = toset(["net"])
}
