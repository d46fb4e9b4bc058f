run "variable" {
  command = plan
  variables {
    n = 11
  }
  expect_failures = [var.n]
}
