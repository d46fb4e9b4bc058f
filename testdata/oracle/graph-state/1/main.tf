resource "terraform_data" "base" { input = "one" }
resource "terraform_data" "many" {
  count = 3
  input = terraform_data.base.id
}
resource "terraform_data" "gone" { input = terraform_data.many[0].id }
resource "terraform_data" "after_gone" { input = terraform_data.gone.id }
resource "terraform_data" "careful" {
  triggers_replace = "one"
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "reads_careful" { input = terraform_data.careful.id }
resource "terraform_data" "old_name" { input = terraform_data.base.id }
resource "terraform_data" "kept" {}
module "m" {
  source = "./m"
  count  = 2
  up     = terraform_data.base.id
}
output "base" { value = terraform_data.base.id }
