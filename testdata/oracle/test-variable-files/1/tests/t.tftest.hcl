variables {
  b = "file ${var.b}"
}
run "tests" {
  assert {
    condition     = length(output.all) == 0
    error_message = join(", ", output.all)
  }
}
