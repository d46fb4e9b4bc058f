terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" { input = 1 }
resource "mock_a" "a" {
  l = [{ u = 1 }, { u = "x", k = "y" }]
  m = { a = { u = { p = 1 } }, b = { u = { p = 2 } } }
  o = { u = [1, "x"] }
}
