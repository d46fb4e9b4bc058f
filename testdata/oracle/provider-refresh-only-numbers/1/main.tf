terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name = "n"
  size = 3
}
