run "read" {
  assert {
    condition     = terraform_data.nope.id == 1
    error_message = "m"
  }
}
