terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}
provider "mock" {
  region = "real"
}
variable "fail" {
  default = false
}
resource "mock_r" "a" {
  name = "a"
  fail = var.fail
  nest = {
    a = "x"
  }
  nestl = [{ a = "1" }, { a = "2" }]
  rule {
    key = "k1"
  }
  rule {
    key = "k2"
  }
  tag {
    key = "t1"
  }
}
data "mock_d" "d" {
  name = mock_r.a.id
}
data "mock_d" "now" {
  name = "now"
}
output "a" {
  value = mock_r.a.id
}
