variable "a" {
  default    = 1
  deprecated = ""
}
variable "b" {
  default    = 1
  deprecated = ["x"]
}
variable "c" {
  default = 1
  const   = var.a
}
output "d" {
  value      = 1
  deprecated = "  "
}
output "e" {
  value = 1
  type  = "string"
}
output "f" {
  value = 1
  type  = lst(string)
}
output "g" {
  value      = 1
  deprecated = var.a
}
