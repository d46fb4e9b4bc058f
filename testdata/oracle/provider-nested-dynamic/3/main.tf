terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" { input = 1 }
resource "mock_a" "a" {
  l = []
  m = {}
  o = { u = { p = terraform_data.u.id } }
}
