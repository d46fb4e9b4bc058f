resource "terraform_data" "a" {
  input = "one"
}
resource "terraform_data" "c" {
  count = 1
  input = "one"
}
resource "terraform_data" "e" {
  for_each = toset(["y","z"])
  input = each.key
}
output "a" { value = terraform_data.a.id }
output "ai" { value = terraform_data.a.input }
output "aw" { value = terraform_data.a }
output "c" { value = terraform_data.c[*].id }
output "ci" { value = [for x in terraform_data.c : x.input] }
output "e" { value = {for k, x in terraform_data.e : k => x.id} }
