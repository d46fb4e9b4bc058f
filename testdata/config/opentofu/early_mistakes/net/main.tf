variable "dir" {
  default = "."
}
module "again" {
  source = "../${var.dir}"
}
