terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
module "m" {
  source   = "./m"
  for_each = toset(["good", "bad"])
  given    = each.key
}
data "mock_d" "after" {
  of = module.m["good"].name
}
output "all" {
  value = { for k, m in module.m : k => m.name }
}
