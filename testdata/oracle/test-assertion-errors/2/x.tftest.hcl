run "c" {
  assert {
    condition = output.o == "b"
    error_message = "a ${output.q}"
  }
}
