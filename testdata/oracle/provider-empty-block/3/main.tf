terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
provider "mock" {
  region = "root"
}
module "m" {
  source = "./m"
}
