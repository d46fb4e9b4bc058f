module "m" {
  source    = "./m"
  providers = { terraform = terraform }
}
module "n" { source = "./n" }

provider "terraform" {}
