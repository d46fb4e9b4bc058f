
resource "terraform_data" "a" { input = "other" }
resource "terraform_data" "b" {
  lifecycle {
    precondition {
      condition     = data.terraform_remote_state.s.outputs.v == "zzz"
      error_message = "Not now."
    }
  }

  input = terraform_data.a.output
}
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "${path.module}/keep.other" }
}
data "terraform_remote_state" "late" {
  backend    = "local"
  config     = { path = "${path.module}/keep.other" }
  depends_on = [terraform_data.a]
}
data "terraform_remote_state" "named" {
  backend = "local"
  config  = { path = "${path.module}/keep.${terraform_data.b.output}" }
}
data "terraform_remote_state" "each" {
  for_each = toset(["x", "y"])
  backend  = "local"
  config   = { path = "${path.module}/keep.other" }
}
output "s" { value = data.terraform_remote_state.s.outputs.v }
output "late" { value = data.terraform_remote_state.late.outputs.v }
output "named" { value = data.terraform_remote_state.named.outputs.v }
output "b" { value = terraform_data.b.output }

check "c" {
  data "terraform_remote_state" "in" {
    backend = "local"
    config  = { path = "${path.module}/keep.other" }
  }
  assert {
    condition     = data.terraform_remote_state.in.outputs.v == "never"
    error_message = "Never."
  }
}
output "checked" {
  value = 1
  precondition {
    condition     = terraform_data.a.output == "never"
    error_message = "Output."
  }
}
