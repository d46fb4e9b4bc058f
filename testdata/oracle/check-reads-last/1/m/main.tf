variable "release" {}
check "inside" {
  data "terraform_remote_state" "made" {
    backend = "local"
    config  = { path = "keep.made" }
  }
  assert {
    condition     = data.terraform_remote_state.made.outputs.release == var.release
    error_message = "Not released."
  }
}
