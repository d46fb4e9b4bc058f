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
  text = "dies after"

  depends_on = [mock_c.first]
}
