terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_mode" "argument" {
  title        = ""
  optional     = [{ name = "y", note = "" }]
  optional_set = [{ name = "y", note = "" }]
}

resource "mock_mode" "blocks" {
  title = ""
  optional {
    name = "y"
    note = ""
  }
  optional_set {
    name = "y"
    note = ""
  }
}

resource "mock_timeouts" "a" {
  title = "t"
}

resource "mock_timeouts" "b" {
  title = ""
}

resource "mock_single" "a" {
  title = "t"
}

resource "mock_single" "b" {
  title = ""
}

resource "mock_group" "a" {
  title = "t"
}

resource "mock_group" "b" {
  title = ""
}

resource "mock_map" "a" {
  title = "t"
}

resource "mock_map" "b" {
  title = ""
}

resource "mock_list" "a" {
  title = "t"
}

resource "mock_list" "b" {
  title = ""
}

resource "mock_dynamic" "a" {
  title = "t"
}

resource "mock_dynamic" "b" {
  title = ""
}

resource "mock_object" "a" {
  title = "t"
}

resource "mock_object" "b" {
  title = ""
}

resource "mock_maps" "a" {
  title = "t"
}

resource "mock_maps" "b" {
  title = ""
}

resource "mock_inner" "a" {
  title = ""
  outer {
    note = ""
    timeouts {
      create = ""
    }
    rule {
      create = "2"
    }
  }
}
