terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name = "n"
}
data "mock_d" "d" {
  of = "x"
}
variable "secret" {
  ephemeral = true
  default   = "s"
}
resource "mock_r" "bad" {
  name = var.secret
}
