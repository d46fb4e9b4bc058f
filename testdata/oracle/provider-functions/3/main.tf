terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

output "o" {
  value = provider::mock::nosuch("a")
}
output "p" {
  value = provider::other::echo("a")
}
