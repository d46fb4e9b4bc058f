terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_flat" "x" {
  name  = "n"
  text  = "t"
  tags  = { a = "1", "b.c" = "2" }
  zones = ["z0", "z1"]
  ports = [1, 2]
  on    = true
  size  = 12.5
  rule {
    key  = "k"
    port = 80
  }
  peer {
    key = "p"
  }
}
resource "mock_up" "x" {
  name = "n"
  text = "t"
}
output "o" {
  value = "v"
}
