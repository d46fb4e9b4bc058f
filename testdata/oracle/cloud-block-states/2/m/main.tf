resource "terraform_data" "x" {
  triggers_replace = "t"
}
output "id" {
  value = terraform_data.x.id
}
