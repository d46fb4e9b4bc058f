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
  timeouts {
    create = "5m"
    delete = var.how_long
  }
}
resource "mock_group" "x" {
  name = "group"
  timeouts {
    create = "5m"
    delete = var.how_long
  }
}
resource "mock_list" "x" {
  name = "list"
  timeouts {
    create = "5m"
    delete = var.how_long
  }
}
resource "mock_set" "x" {
  name = "set"
  timeouts {
    create = "5m"
    delete = var.how_long
  }
}
resource "mock_map" "x" {
  name = "map"
  timeouts "all" {
    create = "5m"
    delete = var.how_long
  }
}
resource "mock_attribute" "x" {
  name = "attribute"
  timeouts = {
    create = "5m"
    delete = var.how_long
  }
}
resource "mock_object" "x" {
  name = "object"
  timeouts = {
    create = "5m"
    delete = var.how_long
  }
}
resource "mock_rows" "x" {
  name = "rows"
  timeouts {
    create = "5m"
    delete = var.how_long
  }
}
