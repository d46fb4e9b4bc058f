import {
  to = terraform_data.a
  id = "x"
}
import {
  to = terraform_data.b["k"]
  id = local.id
}
import {
  to       = module.m[each.key].terraform_data.x
  id       = each.value
  for_each = { a = "1" }
}
import {
  to       = terraform_data.b[each.key]
  id       = each.value
  for_each = { l = "1" }
}
locals { id = "i" }
module "m" {
  source   = "./m"
  for_each = toset(["a"])
}
resource "terraform_data" "a" {}
resource "terraform_data" "b" { for_each = toset(["k", "l"]) }
