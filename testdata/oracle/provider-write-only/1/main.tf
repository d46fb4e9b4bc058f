terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "s" {
  default   = "hidden"
  sensitive = true
}
variable "e" {
  type      = string
  ephemeral = true
}
ephemeral "mock_e" "e" {
  name = "first"
}
resource "mock_r" "x" {
  name       = "mock_r"
  pw         = ephemeral.mock_e.e.token
  pw_version = 1
  nested     = { a = { key = "k", pw = ephemeral.mock_e.e.token } }
  rule {
    key = "r"
    pw  = var.e
  }
  one {
    pw = var.s
  }
}
resource "mock_force" "x" {
  name       = "mock_force"
  pw         = ephemeral.mock_e.e.token
  pw_version = 1
}
resource "mock_need" "x" {
  name = "n"
  pw   = ephemeral.mock_e.e.token
}
