terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_c" "first" {
  name = "first"
  text = "fine"
}
resource "mock_c" "second" {
  name = "second"
  text = "fine"

  depends_on = [mock_c.first]
}
data "mock_dies" "d" {
  name = "d"
}
