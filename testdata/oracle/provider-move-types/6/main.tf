terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "s" {
  default   = "secret"
  sensitive = true
}
resource "mock_old" "refuses" {
  name = "refuses"
  text = "t"
}
resource "mock_old" "null" {
  name = "null"
  text = "t"
}
resource "mock_old" "wrong" {
  name = "wrong"
  text = "t"
}
resource "mock_old" "malformed" {
  name = "malformed"
  text = "t"
}
resource "mock_unknown" "unknown" {
  name = "unknown"
  text = "t"
}
moved {
  from = mock_old.unknown
  to   = mock_unknown.unknown
}
