resource "terraform_data" "a" {
  input = "x"
}
module "m" {
  source = "./nest"
  a = terraform_data.a.output
}
resource "terraform_data" "b" {
  input = module.m.id
}
resource "terraform_data" "c" {
  input = module.m.m.id
}
resource "terraform_data" "d" {
  input = module.m.w
}
