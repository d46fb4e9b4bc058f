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
import {
  to = mock_r.a
  id = "a"
}
import {
  to = mock_r.c["x"]
  id = "x"
}
import {
  to = mock_r.c["y"]
  id = mock_r.b.name
}
