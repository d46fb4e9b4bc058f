run "b" {
  assert {
    condition = output.nope == "x"
    error_message = "fine"
  }
}
run "c" {
  assert {
    condition = output.o
    error_message = "fine"
  }
}
