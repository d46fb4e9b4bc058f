module "n" {
  source = "../n"
}
resource "terraform_data" "a" {}
