terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "a" {
  name = "a2"
  lifecycle {
    postcondition {
      condition = self.name == "no"
      error_message = "post"
    }
  }
}
resource "mock_r" "c" {
  for_each = toset(["x", "z"])
  name = each.key
}
resource "mock_r" "new" { name = "new" }
data "mock_d" "d" {
  of = mock_r.a.name
}
data "mock_d" "n" {
  of = mock_r.new.name
}
output "a" { value = mock_r.a.name }
output "key" { value = mock_r.a.key }
output "new" { value = mock_r.new.name }
output "newkey" { value = mock_r.new.key }
output "keep" { value = "k2" }
output "z" { value = [for r in mock_r.c : r.name] }
output "d" { value = data.mock_d.d.of }
output "n" { value = data.mock_d.n.of }
check "c" {
  assert {
    condition = mock_r.a.name == "a"
    error_message = "chk"
  }
}
