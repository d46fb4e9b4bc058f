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
  name = "sixth"
}
resource "mock_drift" "x" {
  name       = "mock_drift"
  pw         = ephemeral.mock_e.e.token
  pw_version = 1
}
