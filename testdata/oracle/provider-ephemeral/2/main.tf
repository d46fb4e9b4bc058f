terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

ephemeral "mock_e" "key" {
  name = "key"
}
ephemeral "mock_e" "later" {
  name = mock_r.a.made
}
provider "mock" {
  alias = "with"
  token = ephemeral.mock_e.key.secret
}
resource "mock_r" "a" {
  name       = "a"
  pw         = ephemeral.mock_e.key.secret
  pw_version = 2
  rule {
    key = "k"
    pw  = "written"
  }
}
resource "mock_r" "b" {
  provider = mock.with
  name     = "b"
  pw       = ephemeral.mock_e.later.secret
}
resource "mock_r" "plain" {
  name = "plain"
  pw   = "plain text"
}
