resource "terraform_data" "d" {
}
module "n" {
  source = "../r12"
}
