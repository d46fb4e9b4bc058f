terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

data "mock_bad" "changed" {
  name = "changed"
}

data "mock_bad" "ok" {
  name = "ok"
}
