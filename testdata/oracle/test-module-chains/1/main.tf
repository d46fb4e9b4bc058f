variable "network" {
  type = string
}
variable "size" {
  default = 1
}
resource "terraform_data" "server" {
  count = var.size
  input = "${var.network}-${count.index}"
}
output "servers" {
  value = terraform_data.server[*].output
}
