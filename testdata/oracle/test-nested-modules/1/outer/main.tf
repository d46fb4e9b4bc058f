variable "name" {
  type = string
}
module "inner" {
  source = "./inner"
  count  = 2
  name   = "${var.name}${count.index}"
}
output "names" {
  value = module.inner[*].name
}
