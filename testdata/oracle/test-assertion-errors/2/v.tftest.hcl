run "c" {
  assert {
    condition = terraform_data.x.input == "a"
    error_message = "a"
  }
}
