resource "terraform_data" "a" {
  input = 1
}
module "m" {
  source = "./m"
  given  = terraform_data.a.output
}
module "c" {
  source = "./m"
  count  = 1
  given  = terraform_data.a.id
}
output "o1" {
  value = try(module.m[0].out, "none")
}
output "o2" {
  value = try(module.m["k"].id, "none")
}
output "o3" {
  value = try(module.m[0], "none")
}
output "o4" {
  value = try(module.c[1].out, "none")
}
