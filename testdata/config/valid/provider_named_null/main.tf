# The keyword is also the name of a provider that many use.
terraform {
  required_providers {
    null = { source = "hashicorp/mock" }
  }
}
provider "null" { region = "default" }
provider "null" {
  alias  = "west"
  region = "w"
}
resource "mock_thing" "x" {
  provider = null
  name     = "x"
}
resource "mock_thing" "y" {
  provider = null.west
  name     = "y"
}
module "a" {
  source    = "./a"
  providers = { null = null, null.peer = null.west }
}
