resource "terraform_data" "a" { count = 2 }
resource "terraform_data" "b" { for_each = toset(["a"]) }
resource "terraform_data" "c" {}
output "o1" { value = terraform_data.a[0].id }
output "o2" { value = terraform_data.b["a"].id }
output "o3" { value = terraform_data.c.input.anything }
output "o4" { value = terraform_data.a[*].id }
output "o5" { value = terraform_data.a[7].id }
output "o6" { value = [for x in terraform_data.b : x.id] }
output "o7" { value = { for k, v in terraform_data.b : k => v.id } }
output "o8" { value = length(terraform_data.a) }
output "o9" { value = resource.terraform_data.c.id }
