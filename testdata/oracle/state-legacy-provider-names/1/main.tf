resource "terraform_data" "d" {
  input = "a"
}
