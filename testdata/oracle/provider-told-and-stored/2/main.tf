terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_group" "absent" {}

resource "mock_group" "present" {
  g {
    x = "2"
    s {}
    g {}
  }
}

resource "mock_ignored" "all" {
  x    = "2"
  note = "2"
  n    = [{ v = "2" }]
  b {
    v = "2"
    i { v = "2" }
  }
  lifecycle { ignore_changes = all }
}

resource "mock_ignored" "some" {
  x    = "2"
  note = "2"
  n    = [{ v = "2" }]
  b {
    v = "2"
    i { v = "2" }
  }
  lifecycle { ignore_changes = [x, b] }
}

resource "mock_hidden" "a" {
  l    = [{ v = "2" }]
  s    = [{ v = "2", k = sensitive("x") }]
  m    = { a = { v = "2" } }
  o    = { k = sensitive("x") }
  deep = { in = [{ v = "2" }] }
  open = [{ v = "2" }, {}]
}
