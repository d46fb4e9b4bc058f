module "thing" {
  source  = "acme/thing/cloud"
  version = "~> 1.0"
  x       = 1
}
output "o" { value = module.thing.o }
