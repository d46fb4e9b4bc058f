terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "a" {
  name = "a"
}
resource "mock_r" "c" {
  for_each = toset(["x", "y"])
  name = each.key
}
data "mock_d" "d" {
  of = mock_r.a.name
}
output "a" { value = mock_r.a.key }
output "keep" { value = "k" }
output "gone" { value = "g" }
