variable "t" {
  default = ""
}
variable "f" {
  default = ""
}
output "planned" {
  value = plantimestamp()
}
output "t" {
  value = var.t
}
