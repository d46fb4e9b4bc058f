terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
provider "mock" {
  region = "one"
}
provider "mock" {
  alias  = "x"
  region = "two"
}
resource "mock_r" "one" {
  provider = mock.x
  name = "one"
}
resource "mock_r" "many" {
  provider = mock.x
  count = 2
  name  = "many${count.index}"
}
resource "mock_r" "each" {
  provider = mock.x
  for_each = toset(["a", "b"])
  name     = "each-${each.key}"
}
resource "mock_dep" "dep" {
  provider = mock.x
  name = "d1"
  lifecycle {
    create_before_destroy = true
  }
}
data "mock_d" "d" {
  provider = mock.x
  name = "d"
}
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  providers = {
    mock = mock.x
  }
}
