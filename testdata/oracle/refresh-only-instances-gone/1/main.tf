terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_r" "r" {
  for_each = toset(["a", "b", "c"])
  name     = each.key
}

resource "mock_r" "n" {
  count = 3
  name  = "n${count.index}"
}

data "mock_d" "b" {
  of = mock_r.r["b"].name
}

data "mock_d" "each" {
  for_each = { for k, r in mock_r.r : k => r.name }
  of       = each.value
}

output "b" {
  value = mock_r.r["b"].name
}

output "c" {
  value = mock_r.r["c"].key
}

output "all" {
  value = { for k, r in mock_r.r : k => r.name }
}

output "found" {
  value = data.mock_d.b.of
}

output "n1" {
  value = mock_r.n[1].name
}
output "n" {
  value = mock_r.n[*].name
}
