terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "in" {
  name = "in"
}
