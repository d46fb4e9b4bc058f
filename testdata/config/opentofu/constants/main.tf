variable "place" {
  default = "child"
}
variable "never" {
  default = "child"
  const   = false
}
variable "always" {
  default = "child"
  const   = true
}
resource "terraform_data" "made" {}
module "fine" {
  source = "./${var.place}"
  place  = "${var.place}/x"
}
module "fine_too" {
  source = "./${var.always}"
  place  = path.module
}
module "of_resource" {
  source = "./child"
  place  = terraform_data.made.id
}
module "of_never" {
  source = "./child"
  place  = var.never
}
module "from_never" {
  source = "./${var.never}"
  place  = "x"
}
