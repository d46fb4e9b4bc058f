run "c" {
  assert {
    condition = output.o == "a"
    error_message = 12
  }
  assert {
    condition = output.o == "b"
    error_message = null
  }
}
