resource "terraform_data" "a" {}
module "w" {
  source   = "./w"
  for_each = toset(["one", "two"])
}
