variable "items" {
  type    = map(object({ n = number }))
  default = {}
}
output "items" {
  value = var.items
}
output "none" {
  value = null
}
