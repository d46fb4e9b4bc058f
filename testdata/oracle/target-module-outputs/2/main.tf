resource "terraform_data" "a" {
  input = "x"
}
module "m" {
  source = "./pass"
  a = terraform_data.a
}
resource "terraform_data" "b" {
  input = module.m.a.id
}
