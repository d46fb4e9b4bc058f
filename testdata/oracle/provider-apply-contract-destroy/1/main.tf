terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_gone" "fine" {
  name = "fine"
}

resource "mock_gone" "fails" {
  name = "fails"
}

resource "mock_gone" "fails_partial" {
  name = "fails_partial"
}

resource "mock_gone" "fails_private" {
  name = "fails_private"
}

resource "mock_gone" "wrong_type" {
  name = "wrong_type"
}

resource "mock_gone" "malformed" {
  name = "malformed"
}

resource "mock_gone" "warns" {
  name = "warns"
}

resource "mock_gone" "plan_fails" {
  name = "plan_fails"
}

resource "mock_gone" "plan_warns" {
  name = "plan_warns"
}

resource "mock_gone" "plan_wrong" {
  name = "plan_wrong"
}

resource "mock_gone" "plan_null" {
  name = "plan_null"
}
