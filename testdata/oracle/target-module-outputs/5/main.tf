resource "terraform_data" "a" {
  input = "x"
}
module "m" {
  source = "./res"
  for_each = { x = terraform_data.a.input }
  a = each.value
}
output "o" {
  value = module.m["x"].id
}
