resource "terraform_data" "base" {
  input            = "two"
  triggers_replace = "two"
}
resource "terraform_data" "many" {
  count = 2
  input = terraform_data.base.id
}
resource "terraform_data" "careful" {
  triggers_replace = "two"
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "reads_careful" { input = terraform_data.careful.id }
resource "terraform_data" "new_name" { input = terraform_data.base.id }
moved {
  from = terraform_data.old_name
  to   = terraform_data.new_name
}
removed {
  from = terraform_data.kept
  lifecycle { destroy = false }
}
module "m" {
  source = "./m"
  count  = 1
  up     = terraform_data.many[1].id
}
output "base" { value = module.m[*].id }
