module "c" {
  source = "./child"
  name   = "x"
}
module "k" {
  source   = "./child"
  for_each = toset(["a", "b"])
  name     = each.key
}
resource "terraform_data" "l" {
  count = 2
  input = module.c.out
}
