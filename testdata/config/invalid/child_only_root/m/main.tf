terraform {
  backend "local" {}
}
import {
  to = terraform_data.x
  id = "x"
}
resource "terraform_data" "x" {}
