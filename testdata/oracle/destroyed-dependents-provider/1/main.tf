terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "terraform_data" "base" {
  input = 1
}
provider "mock" {
  region = terraform_data.base.output
}
resource "mock_r" "gone" {
  count = 1
  name  = terraform_data.base.id
}
resource "terraform_data" "of_gone" {
  count = 1
  input = "${mock_r.gone[0].id}-${terraform_data.base.id}"
}
