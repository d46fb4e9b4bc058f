import {
  to = terraform_data.a
  id = "x"
}
import {
  to = terraform_data.b
  id = "y"
}
resource "terraform_data" "b" {
  input = "b"
}
output "b" {
  value = terraform_data.b.id
}
