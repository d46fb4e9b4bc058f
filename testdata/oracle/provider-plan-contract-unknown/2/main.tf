terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

resource "terraform_data" "u" {}

resource "mock_a" "plain_known_new" {
  what = "plain known"
  plain = terraform_data.u.id
}

resource "mock_a" "plain_known_had" {
  what = "plain known"
  plain = terraform_data.u.id
}

resource "mock_a" "plain_null_new" {
  what = "plain null"
  plain = terraform_data.u.id
}

resource "mock_a" "plain_null_had" {
  what = "plain null"
  plain = terraform_data.u.id
}

resource "mock_a" "text_known_new" {
  what = "text known"
  text = terraform_data.u.id
}

resource "mock_a" "text_known_had" {
  what = "text known"
  text = terraform_data.u.id
}

resource "mock_a" "text_null_new" {
  what = "text null"
  text = terraform_data.u.id
}

resource "mock_a" "text_null_had" {
  what = "text null"
  text = terraform_data.u.id
}

resource "mock_a" "list_known_new" {
  what = "list known"
  list = terraform_data.u.id == "x" ? ["q"] : ["r"]
}

resource "mock_a" "list_known_had" {
  what = "list known"
  list = terraform_data.u.id == "x" ? ["q"] : ["r"]
}

resource "mock_a" "list_null_new" {
  what = "list null"
  list = terraform_data.u.id == "x" ? ["q"] : ["r"]
}

resource "mock_a" "list_null_had" {
  what = "list null"
  list = terraform_data.u.id == "x" ? ["q"] : ["r"]
}

resource "mock_a" "nested_known_new" {
  what = "nested known"
  nested = terraform_data.u.id == "x" ? [{ v = "q" }] : [{ v = "r" }]
}

resource "mock_a" "nested_known_had" {
  what = "nested known"
  nested = terraform_data.u.id == "x" ? [{ v = "q" }] : [{ v = "r" }]
}

resource "mock_a" "nested_null_new" {
  what = "nested null"
  nested = terraform_data.u.id == "x" ? [{ v = "q" }] : [{ v = "r" }]
}

resource "mock_a" "nested_null_had" {
  what = "nested null"
  nested = terraform_data.u.id == "x" ? [{ v = "q" }] : [{ v = "r" }]
}
