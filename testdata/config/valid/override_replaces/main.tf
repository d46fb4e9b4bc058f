terraform {
  required_version = ">= 99"
}
resource "terraform_data" "a" {
  count = 1
}
module "m" {
  source   = "./m"
  for_each = {}
}
output "o" { value = terraform_data.a["k"].id }
