terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_q" "q" {
  name = "n"
}
data "mock_d" "d" {
  of = "x"
}
moved {
  from = mock_r.r
  to   = mock_q.q
}
