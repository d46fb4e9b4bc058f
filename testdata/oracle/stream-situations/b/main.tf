moved { 
  from = terraform_data.a
  to = terraform_data.a2
}
moved { 
  from = terraform_data.b[1]
  to = terraform_data.c
}
import {
  to = terraform_data.i
  id = "xyz"
}
resource "terraform_data" "a2" { input = "a" }
resource "terraform_data" "b" {
  count = 1
  input = "${terraform_data.a2.output}-${count.index}"
}
resource "terraform_data" "c" { input = "a-1" }
resource "terraform_data" "i" { }
output "o" { value = terraform_data.b[*].output }
