module "outer" {
  source   = "./outer"
  for_each = toset(["a", "b"])
  name     = each.key
}
output "names" {
  value = { for k, m in module.outer : k => m.names }
}
