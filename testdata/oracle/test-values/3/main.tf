variable "a" { default = 3 }
output "o" { value = var.a }
