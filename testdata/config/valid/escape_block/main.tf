resource "terraform_data" "a" {
  _ {
    input = 1
  }
}
module "m" {
  source = "./m"
  _ {
    x = 1
  }
}
