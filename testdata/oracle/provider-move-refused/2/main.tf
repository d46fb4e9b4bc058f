terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_new" "a" {
  name = "a"
  text = "t"
}
resource "terraform_data" "b" {
}
data "mock_d" "d" {
  of = mock_new.a.id
}
moved {
  from = mock_old.a
  to   = mock_new.a
}
moved {
  from = mock_old.b
  to   = terraform_data.b
}
