terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_a" "all" {
  x      = "2"
  secret = "2"
  lifecycle { ignore_changes = all }
}

resource "mock_a" "secret" {
  x      = "1"
  secret = "2"
  lifecycle { ignore_changes = [secret] }
}

resource "mock_a" "key_of_nothing" {
  map = { a = "1" }
  lifecycle { ignore_changes = [map["a"]] }
}

resource "mock_a" "new_key" {
  map = { a = "1", b = "2" }
  lifecycle { ignore_changes = [map["a"]] }
}
