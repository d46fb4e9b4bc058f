terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_null" "x" {
  name = "n"
  text = "t"
}
