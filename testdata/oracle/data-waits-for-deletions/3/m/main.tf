resource "terraform_data" "kept" {}
resource "terraform_data" "going" {
  count = 2
}
module "sub" {
  source = "../sub"
}
