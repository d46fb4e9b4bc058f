terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "name" {}
resource "mock_r" "seen" {
  name = "seen ${var.name}"
}
resource "mock_r" "hidden" {
  name = "hidden ${var.name}"
}
data "mock_d" "inside" {
  of = var.name
}
module "deep" {
  source = "./deep"
  name   = var.name
}
output "name" {
  value = "${mock_r.seen.name}!"
}
output "fixed" {
  value = "fixed"
}
