resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 1
  input = "${terraform_data.a.output}-${count.index}"
}
check "fine" {
  assert {
    condition     = terraform_data.a.input == "a"
    error_message = "not a"
  }
}
output "o" { value = terraform_data.b[*].output }

resource "terraform_data" "apart" {
  input = terraform_data.a.output
  lifecycle {
    postcondition {
      condition     = self.input == "z"
      error_message = "No."
    }
  }
}
resource "terraform_data" "after" {
  input = terraform_data.apart.output
}
