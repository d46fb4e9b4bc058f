resource "terraform_data" "h" {
}
output "id" {
  value = terraform_data.h.id
}
