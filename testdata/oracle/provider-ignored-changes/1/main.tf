terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_a" "all" {
  x      = "1"
  secret = "1"
  lifecycle { ignore_changes = all }
}

resource "mock_a" "secret" {
  x      = "1"
  secret = "1"
  lifecycle { ignore_changes = [secret] }
}

resource "mock_a" "key_of_nothing" {
  lifecycle { ignore_changes = [map["a"]] }
}

resource "mock_a" "new_key" {
  map = { b = "1" }
  lifecycle { ignore_changes = [map["a"]] }
}
