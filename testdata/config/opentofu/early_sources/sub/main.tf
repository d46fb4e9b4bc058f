variable "below" {}
variable "unset" {
  default = "deep"
}
module "deep" {
  source = "./${basename(var.below)}"
}
module "again" {
  source = "./${var.unset}"
}
