module "m" {
  source  = "hashicorp/consul/aws"
  version = "x.y"
}
module "l" {
  source  = "./nowhere"
  version = "x.y"
}
output "o" { value = module.m.id }
