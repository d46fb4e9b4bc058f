terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "v" {
  default = 1
}
resource "mock_r" "in" {
  old = "x"
}
