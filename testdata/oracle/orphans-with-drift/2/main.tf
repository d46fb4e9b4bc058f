terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "n" {
  count = 1
  name = "n${count.index}"
}
removed {
  from = mock_r.a
  lifecycle {
    destroy = false
  }
}
