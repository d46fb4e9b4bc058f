terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
provider "mock" {}
provider "mock" {
  alias = "other"
}
import {
  to = mock_plain.x
  id = "p"
}
