resource "terraform_data" "r" { input = "a" }
resource "terraform_data" "s" { input = "b" }
output "o" { value = terraform_data.r.id }
