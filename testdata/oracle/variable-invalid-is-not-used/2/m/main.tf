terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "given" {
  validation {
    condition     = var.given != "bad"
    error_message = "Bad."
  }
}
locals {
  inner = "x${var.given}"
}
data "mock_d" "inner" {
  of = local.inner
}
resource "mock_r" "inner" {
  name = local.inner
}
output "name" {
  value = local.inner
}
