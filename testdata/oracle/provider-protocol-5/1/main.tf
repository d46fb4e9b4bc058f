terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
  provider_meta "mock" {
    tool = "t"
  }
}
provider "mock" {
  region = "here"
  token  = "t"
}
ephemeral "mock_e" "e" {
  name = "e"
}
data "mock_d" "d" {
  name = "d"
  list {
    create = "x"
  }
}
resource "mock_r" "a" {
  name   = "a"
  secret = data.mock_d.d.made
  pw     = ephemeral.mock_e.e.token
  any    = [1, { b = null }]
  tags   = { k = "v" }
  list { key = "l0" }
  list { key = "l1" }
  set { create = "1" }
  map "m" { key = "m" }
  single { key = "s" }
  timeouts { create = "5m" }
}
resource "mock_r" "b" {
  name = "b"
  old  = mock_r.a.id
  rows = [{ a = mock_r.a.name, n = 2 }]
}
output "joined" {
  value = provider::mock::join("-", "a", null)
}
