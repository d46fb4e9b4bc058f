terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name = "n"
}
resource "terraform_data" "d" {
  input = { a = 1 }
}
data "mock_d" "d" {
  of = "x"
}
output "all" {
  value = [mock_r.r, terraform_data.d.input, data.mock_d.d]
}
