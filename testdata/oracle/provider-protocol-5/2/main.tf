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
resource "mock_r" "a" {
  name   = "a2"
  secret = "s"
  any    = "text"
  list { key = "l1" }
  set { create = "1" }
  set { delete = "2" }
  map "n" { key = "m" }
  timeouts { delete = "5m" }
}
resource "mock_r" "b" {
  name = "b"
  tags = {}
  list { key = "new" }
}
import {
  to = mock_r.c
  id = "i"
}
resource "mock_r" "c" {
  name = "i"
  size = 3
}
