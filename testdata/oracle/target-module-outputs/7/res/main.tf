variable "a" {
  default = null
}
resource "terraform_data" "in" {
  input = var.a
}
output "id" {
  value = terraform_data.in.id
}
output "whole" {
  value = terraform_data.in
}
output "loc" {
  value = local.l
}
locals {
  l = terraform_data.in.output
}
