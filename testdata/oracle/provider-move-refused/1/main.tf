terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_old" "a" {
  name = "a"
  text = "t"
}
resource "mock_old" "b" {
  name = "b"
  text = "t"
}
