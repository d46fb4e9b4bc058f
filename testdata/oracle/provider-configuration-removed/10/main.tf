terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
provider "mock" {
  region = "one"
}
resource "mock_r" "one" {
  name = "one"
}
resource "mock_r" "many" {
  count = 2
  name  = "many${count.index}"
}
resource "mock_r" "each" {
  for_each = toset(["a", "b"])
  name     = "each-${each.key}"
}
data "mock_d" "d" {
  name = "d"
}
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
}
