variable "n" {
  default = 2
}
module "c" {
  source = "./child"
  name   = "x"
}
resource "terraform_data" "l" {
  count = var.n
  input = module.c.out
}
output "ids" {
  value = terraform_data.l[*].id
}
output "c" {
  value = module.c.out
}
