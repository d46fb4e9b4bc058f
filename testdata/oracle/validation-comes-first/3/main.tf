terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name = "n"
}
data "mock_d" "d" {
  of = "x"
}
output "bad" {
  value = provider::mock::echo("a", "b")
}
