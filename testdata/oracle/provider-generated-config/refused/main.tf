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
  for_each = toset(["p"])
  to       = mock_plain.x[each.key]
  id       = each.key
}
import {
  to = module.m.mock_plain.x
  id = "p"
}
import {
  to = mock_plain.y["k"]
  id = "p"
}
