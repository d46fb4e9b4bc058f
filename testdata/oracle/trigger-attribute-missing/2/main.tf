terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "a" {
  name = "a"
  size = 2
}
resource "mock_r" "c" {
  count = 2
  name  = "c${count.index}"
}
resource "mock_r" "b" {
  name = "b"
  lifecycle {
    replace_triggered_by = [mock_r.a.nope, mock_r.c[0].nope, mock_r.a.key.more]
  }
}
