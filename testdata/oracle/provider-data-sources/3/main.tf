terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

data "mock_bad" "null" {
  name = "null"
}

data "mock_bad" "wrong" {
  name = "wrong"
}

data "mock_bad" "unknown" {
  name = "unknown"
}

data "mock_bad" "malformed" {
  name = "malformed"
}

data "mock_bad" "ok" {
  name = "ok"
}
