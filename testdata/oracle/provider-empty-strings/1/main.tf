terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_mode" "argument" {
  title        = ""
  optional     = [{ name = "x", note = "" }]
  optional_set = [{ name = "x", note = "" }]
}

resource "mock_mode" "blocks" {
  title = "t"
  optional {
    name = "x"
    note = ""
  }
  optional_set {
    name = "x"
    note = ""
  }
}

resource "mock_timeouts" "a" {
  title = ""
}

resource "mock_timeouts" "b" {
  title = "t"
}

resource "mock_single" "a" {
  title = ""
}

resource "mock_single" "b" {
  title = "t"
}

resource "mock_group" "a" {
  title = ""
}

resource "mock_group" "b" {
  title = "t"
}

resource "mock_map" "a" {
  title = ""
}

resource "mock_map" "b" {
  title = "t"
}

resource "mock_list" "a" {
  title = ""
}

resource "mock_list" "b" {
  title = "t"
}

resource "mock_dynamic" "a" {
  title = ""
}

resource "mock_dynamic" "b" {
  title = "t"
}

resource "mock_object" "a" {
  title = ""
}

resource "mock_object" "b" {
  title = "t"
}

resource "mock_maps" "a" {
  title = ""
}

resource "mock_maps" "b" {
  title = "t"
}

resource "mock_inner" "a" {
  title = ""
  outer {
    note = ""
    timeouts {
      create = ""
    }
    rule {
      create = "1"
    }
  }
}
