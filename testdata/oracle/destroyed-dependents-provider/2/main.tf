terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "terraform_data" "base" {
  input = 2
}
provider "mock" {
  region = terraform_data.base.output
}
resource "mock_r" "gone" {
  count = 0
  name  = terraform_data.base.id
}
resource "terraform_data" "of_gone" {
  count = 0
  input = "${length(mock_r.gone)}-${terraform_data.base.id}"
}
