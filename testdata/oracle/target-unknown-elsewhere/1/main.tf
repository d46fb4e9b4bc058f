resource "terraform_data" "a" {
  input = "x"
}
resource "terraform_data" "b" {
  input = ["y", "z"]
}
resource "terraform_data" "c" {
  count = length(terraform_data.b.output)
}
module "m" {
  source   = "./m"
  for_each = toset([for r in terraform_data.c : tostring(length(r.id))])
  word     = each.key
}
output "c" {
  value = length(terraform_data.c)
}
output "words" {
  value = [for k, v in module.m : v.word]
}
