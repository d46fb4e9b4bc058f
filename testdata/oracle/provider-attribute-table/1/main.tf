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
  required          = "c"
  optional          = "c"
  defaulted         = "c"
  optional_computed = "c"
}

resource "mock_row" "removed" {
  name              = "removed"
  required          = "c"
  optional          = "c"
  defaulted         = "c"
  optional_computed = "c"
}

resource "mock_row" "added" {
  name     = "added"
  required = "c"
}

resource "mock_row" "default_written" {
  name      = "default_written"
  required  = "c"
  defaulted = "usual"
}

resource "mock_row" "default_left" {
  name      = "default_left"
  required  = "c"
  defaulted = "other"
}

resource "mock_row" "default_taken" {
  name     = "default_taken"
  required = "c"
}

resource "mock_kind" "all" {
  name      = "all"
  number    = 1
  list      = ["a", "b", "c"]
  map       = { k = "v", l = "w" }
  object    = { a = "x", b = 1 }
  dynamic   = [1, "two"]
  secret    = "s3cret"
  replacing = "one"
  normal    = "Mixed Case"
}

resource "mock_kind" "kept" {
  name   = "kept"
  normal = "Mixed Case"
  set    = ["z"]
}

resource "mock_kind" "none" {
  name = "none"
}

resource "mock_replaced" "unknowns" {
  name      = "unknowns"
  replacing = "one"
  other     = "kept"
}

resource "mock_replaced" "twice" {
  name      = "twice"
  replacing = mock_replaced.unknowns.id
}
