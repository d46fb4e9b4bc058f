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
  input = provider::mock::list("x")
}
