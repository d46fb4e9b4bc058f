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
  text = "a"
}
resource "mock_replaced" "x" {
  name = "replaced"
  force = "a"
}
resource "mock_first" "x" {
  name = "first"
  force = "a"
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
resource "mock_moved" "x" {
  name = "moved"
}
resource "mock_dropped" "x" {
  name = "dropped"
  text = "a"
}
resource "mock_imported" "x" {
  name = "imported"
}
resource "mock_fails" "x" {
  name = "fails"
  force = "a"
  lifecycle {
    create_before_destroy = true
  }
}
