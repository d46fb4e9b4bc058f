resource "terraform_data" "a" {
  input = "a"
  lifecycle { prevent_destroy = true }
  triggers_replace = 1
}
resource "terraform_data" "b" {
  count = 2
  input = "${terraform_data.a.output}-${count.index}"
}
output "o" { value = terraform_data.b[*].output }
