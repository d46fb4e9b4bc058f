resource "terraform_data" "q" { input = "inner" }
output "o" { value = terraform_data.q.output }
