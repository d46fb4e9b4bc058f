terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
  provider_meta "mock" {
    tool = "case"
  }
}

provider "mock" {
  region = "one"
}
provider "mock" {
  alias  = "two"
  region = "two"
}
provider "mock" {
  alias  = "later"
  region = terraform_data.up.id
}
resource "terraform_data" "up" {
  input = "1"
}
resource "mock_r" "a" {
  name = "a"
}
resource "mock_r" "b" {
  provider = mock.two
  name     = "b"
}
resource "mock_r" "c" {
  provider = mock.later
  name     = "c"
}
data "mock_d" "d" {
  provider = mock.later
  name     = "d"
}
module "m" {
  source   = "./m"
  for_each = toset(["x", "y"])
  key      = each.key
  providers = {
    mock       = mock.two
    mock.other = mock
  }
}
