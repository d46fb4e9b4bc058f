terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "s" {
  default   = "secret"
  sensitive = true
}
resource "mock_refuses" "refuses" {
  name = "refuses"
  text = "t"
}
resource "mock_null" "null" {
  name = "null"
  text = "t"
}
resource "mock_wrong" "wrong" {
  name = "wrong"
  text = "t"
}
resource "mock_unknown" "unknown" {
  name = "unknown"
  text = "t"
}
resource "mock_malformed" "malformed" {
  name = "malformed"
  text = "t"
}
moved {
  from = mock_old.refuses
  to   = mock_refuses.refuses
}
moved {
  from = mock_old.null
  to   = mock_null.null
}
moved {
  from = mock_old.wrong
  to   = mock_wrong.wrong
}
moved {
  from = mock_old.unknown
  to   = mock_unknown.unknown
}
moved {
  from = mock_old.malformed
  to   = mock_malformed.malformed
}
