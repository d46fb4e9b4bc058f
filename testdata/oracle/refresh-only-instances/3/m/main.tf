resource "terraform_data" "x" {
  input = "one"
}
output "x" {
  value = terraform_data.x.input
}
output "none" {
  value = null
}
