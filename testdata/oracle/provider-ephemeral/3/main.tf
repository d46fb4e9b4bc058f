terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

provider "mock" {
  alias = "with"
}
ephemeral "mock_ebad" "null" {
  name = "null"
}

ephemeral "mock_ebad" "fails" {
  name = "fails"
}

ephemeral "mock_ebad" "wrong" {
  name = "wrong"
}

ephemeral "mock_ebad" "unknown" {
  name = "unknown"
}
