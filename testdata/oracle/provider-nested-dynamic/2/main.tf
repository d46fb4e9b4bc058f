terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" { input = 1 }
resource "mock_a" "a" {
  l = [{ u = terraform_data.u.output }, { u = 1 }]
  m = { a = { u = null }, b = {} }
  o = { u = terraform_data.u.id }
}
