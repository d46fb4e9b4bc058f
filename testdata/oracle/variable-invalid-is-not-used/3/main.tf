terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "a" {
  default = "x"
  validation {
    condition     = var.a != local.forbidden
    error_message = "Same as the forbidden one."
  }
}
variable "n" {
  default = 2
  validation {
    condition     = var.n < 2
    error_message = "Too many."
  }
}
locals {
  forbidden = data.mock_d.first.of
  use       = var.a
  count     = var.n
}
data "mock_d" "first" {
  of = "x"
}
data "mock_d" "second" {
  of = local.use
}
data "mock_d" "many" {
  count = local.count
  of    = "many"
}
resource "mock_r" "r" {
  name = local.use
}
check "c" {
  assert {
    condition     = local.use != "x"
    error_message = "Seen ${local.use}."
  }
}
