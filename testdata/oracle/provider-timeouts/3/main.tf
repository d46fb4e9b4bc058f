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
  }
}
resource "mock_group" "x" {
  name = "group"
  timeouts {
  }
}
resource "mock_list" "x" {
  name = "list"
  timeouts {
  }
}
resource "mock_set" "x" {
  name = "set"
  timeouts {
  }
}
resource "mock_map" "x" {
  name = "map"
  timeouts "all" {
  }
}
resource "mock_rows" "x" {
  name = "rows"
  timeouts {
  }
}
resource "mock_attribute" "x" {
  name = "attribute"
  timeouts = {}
}
resource "mock_object" "x" {
  name = "object"
  timeouts = null
}
