terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
provider "mock" {
  region = "one"
}
