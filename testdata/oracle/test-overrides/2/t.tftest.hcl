run "keys" {
  override_data {
    target = data.terraform_remote_state.s[0]
    values = { outputs = { a = "zero" } }
  }
  override_data {
    target = data.terraform_remote_state.s
    values = { outputs = { a = "all" } }
  }
  assert {
    condition = jsonencode(output.o) == ""
    error_message = jsonencode(output.o)
  }
}
run "plan" {
  command = plan
  override_data {
    target = data.terraform_remote_state.s
    values = { outputs = { a = "all" } }
  }
  assert {
    condition = jsonencode(output.o) == ""
    error_message = jsonencode(output.o)
  }
}
