resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" { input = 1 }
resource "terraform_data" "c" { input = 1 }
output "o" { value = [terraform_data.a.id, terraform_data.b.id, terraform_data.c.id] }
