terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
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
