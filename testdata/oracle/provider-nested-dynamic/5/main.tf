terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" { input = 1 }
resource "mock_a" "a" {
  l = null
  m = { a = { u = null }, b = { u = [1] } }
  o = null
}
