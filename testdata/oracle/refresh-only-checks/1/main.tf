resource "terraform_data" "a" {
  input = "x"
  lifecycle {
    postcondition {
      condition     = self.output == "x"
      error_message = "Not x."
    }
  }
}
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "${path.module}/keep.other" }
}
resource "terraform_data" "b" {
  count = 2
  lifecycle {
    precondition {
      condition     = data.terraform_remote_state.s.outputs.v != "two"
      error_message = "It is two."
    }
  }
}
check "fails" {
  assert {
    condition     = data.terraform_remote_state.s.outputs.v == "one"
    error_message = "Not one, but ${data.terraform_remote_state.s.outputs.v}."
  }
  assert {
    condition     = terraform_data.a.output == "x"
    error_message = "Not x."
  }
}
check "passes" {
  assert {
    condition     = terraform_data.a.output == "x"
    error_message = "Not x."
  }
}
output "o" {
  value = data.terraform_remote_state.s.outputs.v
  precondition {
    condition     = data.terraform_remote_state.s.outputs.v != "never"
    error_message = "Never."
  }
}
