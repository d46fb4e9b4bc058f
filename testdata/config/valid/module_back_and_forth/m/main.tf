variable "second" {}
output "first" { value = 1 }
output "third" { value = var.second }
