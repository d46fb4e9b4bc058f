provider "mock" {
  alias  = "west"
  region = "w"
}
module "missing" { source = "./wants" }
module "given" {
  source    = "./wants"
  providers = { mock.east = mock.west }
}
module "undeclared" {
  source    = "./wants"
  providers = { mock.east = mock.wset, mock.extra = mock }
}
module "mismatch" {
  source    = "./wants"
  providers = { mock.east = terraform }
}
module "own" {
  source    = "./own"
  providers = { mock = mock.west }
}
module "repeated" {
  source = "./own"
  count  = 2
}
resource "mock_thing" "a" {
  provider = mock.wset
  name     = "x"
}
