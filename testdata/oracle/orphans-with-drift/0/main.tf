terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "a" {
  name = "a2"
}
resource "mock_r" "n" {
  count = 2
  name = "n${count.index}"
}
