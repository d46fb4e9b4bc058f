run "root" {
  assert {
    condition     = length(output.all) == 0
    error_message = join(", ", output.all)
  }
}
