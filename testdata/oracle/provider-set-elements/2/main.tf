terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_blocks" "computed_set" {
  rule {
    name  = "a"
    hosts = ["x"]
  }
  rule {
    name  = "b"
    hosts = ["x"]
  }
}

resource "mock_blocks" "computed_list" {
  rule {
    name  = "a"
    ports = [443]
  }
  rule {
    name  = "b"
    ports = []
  }
}

resource "mock_blocks" "below" {
  group {
    name = "a"
    item {}
  }
  group {
    name = "b"
    item { ports = [443] }
    tag { key = "x" }
  }
  group {
    name = "c"
  }
}

resource "mock_nested" "same" {
  rules = [{ name = "a", ports = [1] }, { name = "b", ports = null }, { name = "c", inner = [], place = {} }]
}

resource "mock_nested" "grows" {
  rules = [{ name = "a", ports = [1] }, { name = "b" }, { name = "c", inner = [{ key = "x" }] }, { name = "d", place = { key = "x" } }]
}

resource "mock_blocks" "empty" {
  part { name = "a" }
  part {
    name = "b"
    list = [{}]
  }
}
