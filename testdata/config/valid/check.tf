check "a" {
  data "terraform_remote_state" "x" {
    backend = "local"
    config  = { path = var.p }
  }
  assert {
    condition     = data.terraform_remote_state.x.outputs.a == 1
    error_message = "x ${data.terraform_remote_state.x.outputs.a}"
  }
  assert {
    condition     = terraform.workspace == "default"
    error_message = "x"
  }
}
variable "p" {}
