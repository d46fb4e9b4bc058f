resource "terraform_data" "a" {
  input = "a"
}
output "a" {
  value = terraform_data.a.output
}
