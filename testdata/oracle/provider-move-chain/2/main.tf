terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_new" "a" {
  name = "a"
  text = "t"
}
resource "mock_new" "b" {
  name = "b"
  text = "t"
}
moved {
  from = mock_old.a
  to   = mock_mid.a
}
moved {
  from = mock_mid.a
  to   = mock_new.a
}
moved {
  from = mock_old.b
  to   = mock_new.b
}
