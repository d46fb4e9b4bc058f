terraform {
  backend "consul" {
    path = "full/path"
    gzip = true
  }
}
resource "terraform_data" "large" {
  input = [for i in range(10) : [for j in range(50) : "value ${i} ${j}"]]
}
output "length" {
  value = length(flatten(terraform_data.large.output))
}
