terraform {
  backend "pg" {}
}

output "a" {
  value = 1
}
