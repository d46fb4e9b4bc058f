resource "terraform_data" "a" {
  input = "x"
}
module "m" {
  source = "./res"
  a = terraform_data.a.output
}
output "o1" {
  value = module.m.id
}
output "o2" {
  value = module.m.whole
}
output "o3" {
  value = module.m
}
