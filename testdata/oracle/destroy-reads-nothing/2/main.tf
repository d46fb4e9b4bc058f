resource "terraform_data" "a" {
}
resource "terraform_data" "c" {
  count = 2
}
output "x" { value = terraform_data.c[0].id }
module "m" {
  source = "./m"
  v = terraform_data.c[0].id
}
