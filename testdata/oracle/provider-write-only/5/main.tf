terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "e" {
  type      = string
  ephemeral = true
}
resource "mock_r" "x" {
  name = var.e
}
data "mock_d" "x" {
  name = var.e
}
