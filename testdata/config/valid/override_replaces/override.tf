terraform {
  required_version = ">= 1.0"
}
resource "terraform_data" "a" {
  for_each = { k = 1 }
}
module "m" {
  count = 2
}
