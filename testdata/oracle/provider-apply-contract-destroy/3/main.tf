terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_gone" "plan_null" {
  name = "plan_null"
}
