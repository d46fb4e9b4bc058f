module "m" {
  source = "./link"
}

output "o" {
  value = module.m.x
}
