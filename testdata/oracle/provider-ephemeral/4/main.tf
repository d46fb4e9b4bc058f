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
ephemeral "mock_ebad" "ok" {
  name = "ok"
}
