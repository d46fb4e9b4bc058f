module "a" {
  source = "./r12"
}
module "b" {
  source = "./r2"
}
module "e" {
  source = "./both"
}
module "f" {
  source = "./inner"
}
module "g" {
  source = "./both"
}
module "h" {
  source = "./d"
}
module "k" {
  source = "./r12"
  for_each = toset(["x", "y"])
}
module "l" {
  source = "./r2"
  for_each = toset(["x"])
}
module "o" {
  source = "./r1"
}
resource "terraform_data" "q" {
}
