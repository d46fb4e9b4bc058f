terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "given" {}
locals {
  inner = upper(var.given)
}
data "mock_d" "inner" {
  of = local.inner
}
output "inner" {
  value = file(var.given)
}
