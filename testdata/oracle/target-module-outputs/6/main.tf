module "m" {
  source = "./res"
  count = 2
  a = count.index
}
resource "terraform_data" "b" {
  input = module.m[0].id
}
resource "terraform_data" "c" {
  input = module.m[*].id
}
resource "terraform_data" "d" {
  input = [for x in module.m : x.whole.input]
}
resource "terraform_data" "e" {
  input = length(module.m)
}
