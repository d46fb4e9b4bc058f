variable "prefix" {
  type    = string
  default = "default"
}
variable "list" {
  type    = list(string)
  default = []
}
output "all" {
  value = "${var.prefix} ${join(",", var.list)}"
}
