terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_ok" "x" {
  name = "x1"
}

resource "mock_null" "x" {
  name = "x1"
}

resource "mock_wrong" "x" {
  name = "x1"
}

resource "mock_malformed" "x" {
  name = "x1"
}

resource "mock_fails" "x" {
  name = "x1"
}

resource "mock_unknown" "x" {
  name = "x1"
}

resource "mock_gone" "x" {
  name = "x1"
}

resource "mock_readfails" "x" {
  name = "x1"
}

resource "mock_warns" "x" {
  name = "x1"
}

resource "mock_readwrong" "x" {
  name = "x1"
}

resource "mock_secret" "x" {
  name = "x1"
}

resource "mock_private" "x" {
  name = "x1"
}
