resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = "${terraform_data.a.output}-${count.index}"
}
check "fine" {
  assert {
    condition     = terraform_data.a.input == "a"
    error_message = "not a"
  }
}
output "o" { value = terraform_data.b[*].output }
