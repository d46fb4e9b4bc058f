terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_row" "unset" {
  name     = "unset"
  required = "c"
}

resource "mock_row" "equal" {
  name              = "equal"
  required          = "c"
  optional          = "c"
  defaulted         = "c"
  optional_computed = "c"
}

resource "mock_row" "different" {
  name              = "different"
  required          = "d"
  optional          = "d"
  defaulted         = "d"
  optional_computed = "d"
}

resource "mock_row" "removed" {
  name     = "removed"
  required = "d"
}

resource "mock_row" "added" {
  name              = "added"
  required          = "c"
  optional          = "d"
  defaulted         = "d"
  optional_computed = "d"
}

resource "mock_row" "default_written" {
  name      = "default_written"
  required  = "c"
  defaulted = "usual"
}

resource "mock_row" "default_left" {
  name      = "default_left"
  required  = "c"
  defaulted = "usual"
}

resource "mock_row" "default_taken" {
  name     = "default_taken"
  required = "d"
}

resource "mock_row" "new_unset" {
  name     = "new_unset"
  required = "c"
}

resource "mock_row" "new_set" {
  name              = "new_set"
  required          = "c"
  optional          = "c"
  defaulted         = "c"
  optional_computed = "c"
}

resource "mock_kind" "all" {
  name      = "all"
  number    = 2.5
  bool      = true
  list      = ["a", "c", "d"]
  set       = ["q", "r"]
  map       = { k = "changed", m = "new" }
  object    = { a = "x", b = null }
  dynamic   = { now = "an object" }
  secret    = "other"
  replacing = "one"
  normal    = "mixed case"
}

resource "mock_kind" "kept" {
  name   = "kept"
  normal = "MIXED CASE"
}

resource "mock_kind" "none" {
  name    = "none"
  list    = []
  map     = {}
  dynamic = null
}

resource "mock_replaced" "unknowns" {
  name      = "unknowns"
  replacing = "two"
}

resource "mock_replaced" "twice" {
  name      = "twice"
  replacing = mock_replaced.unknowns.id
}
