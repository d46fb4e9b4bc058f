terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
