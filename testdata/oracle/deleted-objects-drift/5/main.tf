terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_r" "a" {
  name = "a"
  rule { k = "x" }
}
resource "mock_r" "b" {
  name = "b ${mock_r.a.id}"
}
resource "mock_r" "c" {
  count = 3
  name  = "c${count.index}"
}
resource "mock_r" "d" {
  name = mock_r.c[1].name
}
resource "mock_r" "s" {
  name   = "s"
  secret = "xyz"
}
resource "mock_r" "alone" {
  name = "alone"
}
output "o" { value = mock_r.a.name }
output "c" { value = mock_r.c[*].id }

output "new" { value = mock_r.s.id }
output "newer" { value = mock_r.alone }
