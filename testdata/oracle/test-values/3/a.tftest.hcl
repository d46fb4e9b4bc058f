run "x" {
  assert {
    condition = output.o == 3
    error_message = "is ${output.o}"
  }
}
