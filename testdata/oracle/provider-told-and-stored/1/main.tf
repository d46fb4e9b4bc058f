terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_group" "absent" {}

resource "mock_group" "present" {
  g {
    x = "1"
    s {}
    g {}
  }
}

resource "mock_ignored" "all" {
  x    = "1"
  note = "1"
  n    = [{ v = "1" }]
  b {
    v = "1"
    i { v = "1" }
  }
  lifecycle { ignore_changes = all }
}

resource "mock_ignored" "some" {
  x    = "1"
  note = "1"
  n    = [{ v = "1" }]
  b {
    v = "1"
    i { v = "1" }
  }
  lifecycle { ignore_changes = [x, b] }
}

resource "mock_hidden" "a" {
  l    = [{ v = "1" }]
  s    = [{ v = "1", k = sensitive("x") }]
  m    = { a = { v = "1" } }
  o    = { k = sensitive("x") }
  deep = { in = [{ v = "1" }] }
  open = [{ v = "1" }, {}]
}
