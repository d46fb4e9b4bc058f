terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "s" {
  default   = "secret"
  sensitive = true
}
resource "mock_old" "plain" {
  name = "plain"
  text = "t"
}
resource "mock_old" "edited" {
  name = "edited"
  text = "t"
}
resource "mock_old" "warned" {
  name = "warned"
  text = "t"
}
resource "mock_old" "chained" {
  name = "chained"
  text = "t"
}
resource "mock_old" "many" {
  count = 2
  name = "many"
  text = "t"
}
resource "mock_old" "secret" {
  name = "secret"
  text = var.s
}
resource "mock_old" "back" {
  name = "back"
  text = "t"
}
resource "mock_old" "replaced" {
  name = "replaced"
  text = "t"
}
resource "terraform_data" "d" {
  input = { name = "d" }
}
