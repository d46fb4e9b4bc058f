resource "terraform_data" "r" { 
 input = 1 
}
output "o" { value = terraform_data.r.id }
