terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_fails" "x" {
  name = "n"
  text = "t"
}
resource "mock_wrong" "x" {
  name = "n"
  text = "t"
}
resource "mock_malformed" "x" {
  name = "n"
  text = "t"
}
resource "mock_unknown" "x" {
  name = "n"
  text = "t"
}
resource "mock_newer" "x" {
  name = "n"
  text = "t"
}
