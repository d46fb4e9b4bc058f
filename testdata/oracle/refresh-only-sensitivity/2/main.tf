terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name   = sensitive("n")
  secret = "s"
}
resource "terraform_data" "d" {
  input = sensitive("d")
}
output "name" {
  value = mock_r.r.size
}
