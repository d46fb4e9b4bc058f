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
resource "mock_r" "bad" {
  size = "many"
}
