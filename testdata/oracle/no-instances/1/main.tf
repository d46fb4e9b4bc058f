resource "terraform_data" "x" {
  count = 0
  input = upper([])
}
