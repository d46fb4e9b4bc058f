resource "terraform_data" "kept" {}
resource "terraform_data" "going" {
  count = 1
}
module "sub" {
  source = "../sub"
}
