terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
import {
  to = mock_imported.x
  id = "mock_imported-1"
}
resource "mock_imported" "x" {
  name = "imported"
  text = "other"
}
