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
  dynamic "timeouts" {
    for_each = var.some
    content {
      create = timeouts.value
    }
  }
}
resource "mock_list" "x" {
  name = "list"
  dynamic "timeouts" {
    for_each = var.some
    content {
      create = timeouts.value
    }
  }
}
resource "mock_set" "x" {
  name = "set"
  dynamic "timeouts" {
    for_each = var.some
    content {
      create = timeouts.value
    }
  }
}
resource "mock_map" "x" {
  name = "map"
  dynamic "timeouts" {
    for_each = { all = "2m" }
    labels   = [timeouts.key]
    content {
      create = timeouts.value
    }
  }
}
resource "mock_rows" "x" {
  name = "rows"
  dynamic "timeouts" {
    for_each = var.some
    content {
      create = timeouts.value
    }
  }
}
