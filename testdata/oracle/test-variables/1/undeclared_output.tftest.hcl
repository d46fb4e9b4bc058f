run "read" {
  assert {
    condition     = output.nope == 1
    error_message = "m"
  }
}
