terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_n" "spelled" {
  name = "spelled"
  ci = "Abc"
  trim = " x "
  json = "{\"a\": 1, \"b\": [2]}"
}

resource "mock_n" "changed" {
  name = "changed"
  ci = "abc"
  trim = "x"
  json = "{}"
}

resource "mock_n" "defaults" {
  name = "defaults"
}

resource "mock_n" "given" {
  name = "given"
  dflt = "own"
  dnum = 4
  keep = "own"
}

resource "mock_n" "forced" {
  name = "forced"
  force = "1"
  force_if = "1"
  step = "a"
}

resource "mock_n" "unforced" {
  name = "unforced"
  force_if = "1"
  step = "b"
}

resource "mock_n" "warned" {
  name = "warned"
  pw = "x"
  text = "t"
}

resource "mock_n" "nested" {
  name = "nested"
  nested = { ci = "Abc" }
}

resource "mock_n" "nested_own" {
  name = "nested_own"
  nested = { ci = "x", dflt = "own" }
}

resource "mock_n" "rules" {
  name = "rules"
  rule {
    key = "a"
  }
  rule {
    key = "b"
    dflt = 7
  }
}

resource "mock_n" "rule_force" {
  name = "rule_force"
  rule {
    key = "a"
    force = "1"
  }
}

resource "mock_n" "labels" {
  name = "labels"
  labels = { a = "1" }
}

resource "mock_n" "text" {
  name = "text"
  text = "a"
}

resource "mock_n" "to_null" {
  name = "to_null"
  text = "a"
  labels = {}
  force = "1"
}
resource "terraform_data" "later" {
  input = "1"
}

output "spelled" {
  value = [mock_n.spelled.ci, mock_n.spelled.json, mock_n.defaults.dflt, mock_n.defaults.made]
}
