variable "on" { default = false }
output "x" { value = var.on ? upper([]) : "x" }
