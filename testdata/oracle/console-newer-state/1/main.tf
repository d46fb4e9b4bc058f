terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
resource "mock_r" "r" {
  name = "n"
}
resource "terraform_data" "t" {
  input = mock_r.r.name
}
output "o" {
  value = mock_r.r.name
}
