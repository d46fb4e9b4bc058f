terraform {
  backend "http" {}
}

output "a" {
  value = 1
}
