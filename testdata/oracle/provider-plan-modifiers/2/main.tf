terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_n" "spelled" {
  name = "spelled"
  ci = "ABC"
  trim = "x"
  json = "{\"b\":[2],\"a\":1}"
}

resource "mock_n" "changed" {
  name = "changed"
  ci = "abd"
  trim = "y"
  json = "[]"
}

resource "mock_n" "defaults" {
  name = "defaults"
  text = "t"
}

resource "mock_n" "given" {
  name = "given"
}

resource "mock_n" "forced" {
  name = "forced"
  force = "2"
  force_if = "1"
  step = "a"
}

resource "mock_n" "unforced" {
  name = "unforced"
  step = "c"
}

resource "mock_n" "warned" {
  name = "warned"
  pw = "y"
  text = "t"
}

resource "mock_n" "nested" {
  name = "nested"
  nested = { ci = "ABC" }
}

resource "mock_n" "nested_own" {
  name = "nested_own"
  nested = { ci = "y" }
}

resource "mock_n" "rules" {
  name = "rules"
  rule {
    key = "b"
    dflt = 7
  }
  rule {
    key = "c"
  }
  rule {
    key = "d"
  }
}

resource "mock_n" "rule_force" {
  name = "rule_force"
  rule {
    key = "a"
    force = "2"
  }
}

resource "mock_n" "labels" {
  name = "labels"
  labels = { a = "2", b = terraform_data.later.output }
}

resource "mock_n" "text" {
  name = "text"
  text = terraform_data.later.output
}

resource "mock_n" "to_null" {
  name = "to_null"
}
resource "terraform_data" "later" {
  input = "2"
}

output "spelled" {
  value = [mock_n.spelled.ci, mock_n.spelled.json, mock_n.defaults.dflt, mock_n.defaults.made]
}
