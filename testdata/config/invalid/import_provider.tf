import {
  to       = terraform_data.x
  id       = "x"
  provider = terraform.west
}
resource "terraform_data" "x" {}
