terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name   = "n"
  secret = "s"
}
resource "terraform_data" "d" {
  input = "d"
}
output "name" {
  value = mock_r.r.size
}
