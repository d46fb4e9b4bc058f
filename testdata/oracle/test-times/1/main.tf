variable "t" {
  default = ""
}
variable "f" {
  default = ""
}
output "t" {
  value = var.t
}
