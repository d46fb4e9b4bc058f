resource "terraform_data" "a" { count = 2 }
resource "terraform_data" "b" { for_each = toset(["a"]) }
resource "terraform_data" "c" {}
output "o1" { value = terraform_data.a.id }
output "o2" { value = terraform_data.b.id }
output "o3" { value = terraform_data.c[0].id }
output "o4" { value = terraform_data.c["x"] }
output "o7" { value = terraform_data.a[0].foo }
output "o8" { value = terraform_data.c.foo }
output "o9" { value = terraform_data.c.inptu }
output "o10" { value = terraform_data.a.foo }
output "o11" { value = terraform_data.b.k.id }
output "o12" { value = terraform_data.b.k }
output "o13" { value = terraform_data.a.id[0].x }
