terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}

provider "mock" {
  token = "good"
}

resource "mock_plan" "x" {
  name = "n"
  rule {
    name = "n"
  }
  one {
    name = "n"
  }
}

resource "mock_counted" "x" {
  count = 2
  name  = "n"
}
