terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_p" "none" {
  name  = "none"
  text  = "a"
  force = "1"
}

resource "mock_p" "planned" {
  name  = "planned"
  text  = "a"
  force = "1"
}

resource "mock_p" "applied" {
  name  = "applied"
  text  = "a"
  force = "1"
}

resource "mock_p" "both" {
  name  = "both"
  text  = "a"
  force = "1"
}

resource "mock_p" "read" {
  name  = "read"
  text  = "a"
  force = "1"
}
