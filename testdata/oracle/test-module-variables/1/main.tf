variable "name" {
  default = "n"
}
output "name" {
  value = var.name
}
