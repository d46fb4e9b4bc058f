variable "x" {}
variable "yy" {}
output "out" { value = 1 }
