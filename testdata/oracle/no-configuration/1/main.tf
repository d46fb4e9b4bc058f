resource "terraform_data" "a" {
  input = "kept"
}
output "o" {
  value = terraform_data.a.output
}
