terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "s" {
  default   = "secret"
  sensitive = true
}
resource "mock_mid" "m" {
  name = "m"
  text = "t"
}
