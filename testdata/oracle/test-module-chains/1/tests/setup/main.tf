variable "prefix" {
  default = "net"
}
variable "size" {
  default = 7
}
resource "terraform_data" "network" {
  input = "${var.prefix}${var.size}"
}
output "name" {
  value = terraform_data.network.output
}
