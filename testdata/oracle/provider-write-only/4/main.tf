terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "e" {
  type      = string
  ephemeral = true
}
ephemeral "mock_e" "e" {
  name = "fourth"
}
resource "mock_r" "x" {
  name       = "mock_r"
  pw         = null
  pw_version = 2
}
resource "mock_planned" "x" {
  name       = "mock_planned"
  pw         = ephemeral.mock_e.e.token
  pw_version = 1
}
output "pw" {
  value = mock_r.x.pw
}
