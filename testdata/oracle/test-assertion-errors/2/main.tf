resource "terraform_data" "r" { input = "a" }
output "o" { value = terraform_data.r.input }
