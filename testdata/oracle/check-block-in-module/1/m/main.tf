check "c" {
  data "terraform_remote_state" "r" {
    backend = "local"
    config = { path = "nothere" }
  }
  assert {
    condition = data.terraform_remote_state.r.outputs != null
    error_message = "x"
  }
}
output "o" { value = 1 }
