terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "a" {
  name = "a"
}
resource "mock_r" "b" {
  name = "b"
}
resource "mock_r" "c" {
  for_each = toset(["x", "y"])
  name = each.key
}
output "o" { value = mock_r.b.key }
