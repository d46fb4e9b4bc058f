terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  for_each = toset(["a", "b"])
  name     = each.key
}
resource "mock_r" "n" {
  count = 2
  name  = "n${count.index}"
}
data "mock_d" "b" {
  of = mock_r.r["b"].name
}
output "a" {
  value = mock_r.r["a"].key
}
output "b" {
  value = mock_r.r["b"].key
}
output "n" {
  value = mock_r.n[1].key
}
output "all" {
  value = [for r in mock_r.r : r.key]
}
output "d" {
  value = data.mock_d.b.of
}
