terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "how_long" {
  default = "1m"
}
variable "some" {
  type    = map(string)
  default = {}
}
resource "mock_single" "x" {
  name = "single"
}
resource "mock_group" "x" {
  name = "group"
}
resource "mock_list" "x" {
  name = "list"
}
resource "mock_set" "x" {
  name = "set"
}
resource "mock_map" "x" {
  name = "map"
}
resource "mock_attribute" "x" {
  name = "attribute"
}
resource "mock_object" "x" {
  name = "object"
}
resource "mock_rows" "x" {
  name = "rows"
}
