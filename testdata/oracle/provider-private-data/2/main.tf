terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_p" "none" {
  name  = "none"
  text  = "b"
  force = "1"
}

resource "mock_p" "planned" {
  name  = "planned"
  text  = "b"
  force = "1"
}

resource "mock_p" "applied" {
  name  = "applied"
  text  = "b"
  force = "1"
}

resource "mock_p" "both" {
  name  = "both"
  text  = "b"
  force = "1"
}

resource "mock_p" "read" {
  name  = "read"
  text  = "b"
  force = "1"
}
