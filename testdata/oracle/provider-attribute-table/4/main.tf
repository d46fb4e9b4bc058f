terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_row" "computed_set" {
  name     = "computed_set"
  required = "c"
  computed = "c"
}
