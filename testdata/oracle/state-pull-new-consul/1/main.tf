terraform {
  backend "consul" {
    path = "full/path"
  }
}

output "a" {
  value = 1
}
