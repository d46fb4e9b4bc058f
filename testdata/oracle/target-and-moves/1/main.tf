resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
resource "terraform_data" "c" {
  count = 2
}
resource "terraform_data" "x" {
}
module "m" {
  source = "./m"
}
