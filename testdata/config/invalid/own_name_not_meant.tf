resource "terraform_data" "web" {
  input = terraform_data.wob.id
}
