terraform {
  required_providers {
    mock  = { source = "hashicorp/mock" }
    other = { source = "hashicorp/other", version = ">= 1.0" }
  }
}
provider "mock" { region = "default" }
provider "mock" {
  alias  = "west"
  region = "w"
}
module "a" {
  source    = "./a"
  providers = { mock.peer = mock.west, mock = mock }
}
module "b" { source = "./b" }
resource "mock_thing" "x" {
  provider = mock.west
  name     = "x"
}
