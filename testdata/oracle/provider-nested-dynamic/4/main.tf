terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" { input = 1 }
resource "mock_a" "a" {
  l = [{ u = "x" }, { u = [1] }]
  m = null
  o = null
}
