module "m" {
  source = "./m"
}
module "z" {
  source = "./n"
}
resource "terraform_data" "a" {}
