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
  name = "third"
}
resource "mock_r" "x" {
  name       = "mock_r"
  pw         = ephemeral.mock_e.e.token
  pw_version = 2
  nested     = { a = { key = "k", pw = ephemeral.mock_e.e.token } }
  rule {
    key = "s"
    pw  = var.e
  }
  one {
    pw = var.s
  }
}
resource "mock_force" "x" {
  name       = "mock_force"
  pw         = ephemeral.mock_e.e.token
  pw_version = 2
}
resource "mock_need" "x" {
  name = "m"
  pw   = ephemeral.mock_e.e.token
}
