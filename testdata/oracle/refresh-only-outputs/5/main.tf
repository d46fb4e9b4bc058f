resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
}
output "y" {
  value = 2
}
output "u" {
  value = terraform_data.b.id
}
