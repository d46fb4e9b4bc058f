variable "a" {}
variable "b" {}
variable "c" { default = 7 }
variable "d" { sensitive = true }
output "x" {
  value       = "${1}"
  description = "x"
}
output "s" {
  value     = var.d
  sensitive = true
}
