module "in" {
  source = "../m"
}

output "id" {
  value = module.in.id
}
