resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "e" {
  for_each = toset(["x"])
}
module "m" {
  source = "./m"
  for_each = toset(["k"])
}
resource "terraform_data" "plain" {
  input = 1
}
