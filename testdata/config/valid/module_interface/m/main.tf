variable "x" {}
variable "yy" { default = 1 }
output "out" { value = var.x }
