variable "cfg" {
  type = object({ a = string, b = optional(list(string)) })
  default = { a = "x" }
}
locals {
  merged = merge(var.cfg, { c = 1 })
}
resource "terraform_data" "r" {
  input = local.merged
}
module "m" {
  source = "./m"
}
output "r" {
  value = terraform_data.r
}
