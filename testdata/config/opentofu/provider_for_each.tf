terraform {
  required_providers {
    mock = { source = "hashicorp/mock" }
  }
}
variable "regions" {
  default = ["eu"]
}
variable "required" {
  type = set(string)
}
provider "mock" {
  alias    = "list"
  for_each = var.regions
}
provider "mock" {
  alias    = "missing"
  for_each = var.required
}
provider "mock" {
  alias    = "secret"
  for_each = sensitive({ a = 1 })
}
provider "mock" {
  for_each = {}
}
provider "mock" {
  alias    = "by"
  for_each = toset(var.regions)
  region   = each.key
}
resource "mock_thing" "none" {
  name     = "x"
  provider = mock.by
}
resource "mock_thing" "fine" {
  name     = "x"
  provider = mock.by["eu"]
}
resource "mock_thing" "missing" {
  for_each = toset(["x"])
  name     = "x"
  provider = mock.elsewhere[each.key]
}
