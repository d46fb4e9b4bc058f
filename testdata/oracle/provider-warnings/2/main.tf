terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

variable "n" {
  default = "y"
}
resource "mock_w" "w" {
  name = var.n
}
resource "mock_w" "w2" {
  count = 2
  name  = var.n
}
