provider "terraform" {
  count   = 1
  alias   = "x"
}
provider "terraform" {
  alias = var.x
}
provider "terraform" {
  depends_on = []
  source     = 1
  for_each   = {}
  lifecycle {}
  locals {}
}
provider "terraform" {}
provider "terraform" {
  alias = "x"
}
provider "terraform" {
  alias = "9x"
}
provider "mock" {
  regoin = 1
}
provider "Foo" {}
provider "a_b" {}
