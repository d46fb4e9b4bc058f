terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name = "n"
}
resource "mock_r" "stays" {
  name = "s"
}
data "mock_d" "d" {
  of = mock_r.r.key
}
data "mock_d" "after" {
  of         = "x"
  depends_on = [mock_r.r]
}
resource "mock_r" "reads" {
  name = "${mock_r.r.name}2"
}
output "name" {
  value = mock_r.r.name
}
output "id" {
  value = mock_r.r.key
}
output "whole" {
  value = mock_r.r
}
output "d" {
  value = data.mock_d.d.found
}
output "stays" {
  value = mock_r.stays.name
}
