variable "a" {
  default = null
}
output "a" {
  value = var.a
}
