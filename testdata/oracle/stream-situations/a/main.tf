resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = "${terraform_data.a.output}-${count.index}"
}
output "o" { value = terraform_data.b[*].output }
output "s" { 
 value = "x"
 sensitive = true
}
