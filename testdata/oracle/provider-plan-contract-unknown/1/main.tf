terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "mock_a" "plain_known_had" {
  plain = "p"
}

resource "mock_a" "plain_null_had" {
  plain = "p"
}

resource "mock_a" "text_known_had" {
  text = "p"
}

resource "mock_a" "text_null_had" {
  text = "p"
}

resource "mock_a" "list_known_had" {
  list = ["p"]
}

resource "mock_a" "list_null_had" {
  list = ["p"]
}

resource "mock_a" "nested_known_had" {
  nested = [{ v = "p" }]
}

resource "mock_a" "nested_null_had" {
  nested = [{ v = "p" }]
}
