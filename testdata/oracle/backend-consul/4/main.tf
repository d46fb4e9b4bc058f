terraform {
  backend "consul" {
    path = "full/path"
  }
}
resource "terraform_data" "large" {
  input = [for i in range(30) : [for j in range(100) : sha512("${i} ${j}")]]
}
output "length" {
  value = length(flatten(terraform_data.large.output))
}
