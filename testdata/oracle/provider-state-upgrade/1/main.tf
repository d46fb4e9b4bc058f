terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_up" "x" {
  name = "n"
  text = "t"
}
resource "mock_same" "x" {
  name = "n"
  text = "t"
}
resource "mock_warns" "x" {
  name = "n"
  text = "new"
}
resource "mock_deposed" "x" {
  name = "n"
  text = "t"
}
resource "mock_tainted" "x" {
  name = "n"
  text = "t"
}
resource "mock_secret" "x" {
  name = "n"
  text = "t"
}
