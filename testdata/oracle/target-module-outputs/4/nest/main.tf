variable "a" {
  default = null
}
module "i" {
  source = "../res"
  a = var.a
}
output "id" {
  value = module.i.id
}
output "m" {
  value = module.i
}
output "w" {
  value = module.i.whole.input
}
