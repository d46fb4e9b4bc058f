resource "terraform_data" "kept" {}
module "sub" {
  source = "../sub"
}
