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
resource "terraform_data" "bad" {
  count = 0
  input = terraform_data.bad2.nothing
}
resource "terraform_data" "bad2" {
}
