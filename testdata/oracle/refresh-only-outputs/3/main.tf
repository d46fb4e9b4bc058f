resource "terraform_data" "a" {
  input = 1
}
output "y" {
  value = 2
}
