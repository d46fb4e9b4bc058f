resource "terraform_data" "y" {
  input = upper([])
}
