run "none" {
  variables {
    x = 5
  }
  assert {
    condition     = output.o == "5"
    error_message = "not converted"
  }
}
