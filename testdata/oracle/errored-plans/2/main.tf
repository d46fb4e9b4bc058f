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

resource "terraform_data" "bad" {
  input = tonumber(terraform_data.a.id)
}
resource "terraform_data" "after" {
  input = terraform_data.bad.id
}
resource "terraform_data" "apart" {
  input = terraform_data.a.output
  lifecycle {
    postcondition {
      condition     = self.input == "a"
      error_message = "No."
    }
  }
}
output "p" {
  value = terraform_data.bad.output
  precondition {
    condition     = terraform_data.apart.input == "a"
    error_message = "No."
  }
}
