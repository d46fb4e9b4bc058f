terraform {
  backend "kubernetes" {
    secret_suffix = "state"
    labels = {
      team = "a"
    }
  }
}
resource "terraform_data" "large" {
  input = [for i in range(60) : [for j in range(100) : sha512("${i} ${j}")]]
}
output "length" {
  value = length(flatten(terraform_data.large.output))
}
