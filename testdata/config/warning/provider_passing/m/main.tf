resource "terraform_data" "z" {
  provider = terraform
}
