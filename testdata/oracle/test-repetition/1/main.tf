variable "list" {
  default = ["a", "b", "c"]
}
locals {
  doubled = [for x in var.list : "${x}${x}"]
  by_key  = { for i, x in var.list : x => i }
}
resource "terraform_data" "each" {
  for_each = local.by_key
  input    = { key = each.key, n = each.value }
}
resource "terraform_data" "count" {
  count = 2
  input = count.index
}
module "m" {
  source = "./m"
  x      = "in"
}
output "doubled" {
  value = local.doubled
}
