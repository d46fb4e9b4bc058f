terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
  provider_meta "mock" {
    tool = "t"
  }
}
resource "mock_same" "x" {
  name = "same"
}
resource "mock_changed" "x" {
  name = "changed"
  text = "b"
}
resource "mock_replaced" "x" {
  name = "replaced"
  force = "b"
}
resource "mock_first" "x" {
  name = "first"
  force = "b"
  lifecycle {
    create_before_destroy = true
  }
}
resource "mock_tainted" "x" {
  name = "tainted"
}
resource "mock_missing" "x" {
  name = "missing"
}
resource "mock_drifted" "x" {
  name = "drifted"
}
resource "mock_moved" "y" {
  name = "moved"
}
resource "mock_dropped" "x" {
  name = "dropped"
}
resource "mock_fails" "x" {
  name = "fails"
  force = "b"
  lifecycle {
    create_before_destroy = true
  }
}
moved {
  from = mock_moved.x
  to   = mock_moved.y
}
data "mock_now" "x" {
  name = "now"
}
data "mock_later" "x" {
  name = mock_replaced.x.id
}
