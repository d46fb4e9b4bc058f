import {
  to       = terraform_data.x
  id       = "x"
  provider = terraform
}
resource "terraform_data" "x" {}
