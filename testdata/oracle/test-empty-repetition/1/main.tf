variable "on" {
  default = false
}
resource "terraform_data" "counted" {
  count = var.on ? 1 : 0
}
resource "terraform_data" "each" {
  for_each = toset(var.on ? ["a"] : [])
}
resource "terraform_data" "other" {
  count = 1
}
resource "terraform_data" "of_unknown" {
  count = var.on ? length(terraform_data.counted[0].id) : 0
}
data "terraform_remote_state" "s" {
  count   = var.on ? 1 : 0
  backend = "local"
}
module "m" {
  source = "./m"
  count  = var.on ? 1 : 0
}
module "e" {
  source   = "./m"
  for_each = toset(var.on ? ["a"] : [])
}
module "one" {
  source = "./m"
}
output "sizes" {
  value = [length(terraform_data.counted), length(terraform_data.each), length(module.m), length(module.e)]
}
