resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.output
}
output "a" {
  value = terraform_data.a.output
}
output "s" {
  value     = "hidden"
  sensitive = true
}
