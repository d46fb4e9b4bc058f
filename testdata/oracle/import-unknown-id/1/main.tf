resource "terraform_data" "a" {}

resource "terraform_data" "b" {}

import {
  to = terraform_data.b
  id = terraform_data.a.id
}
