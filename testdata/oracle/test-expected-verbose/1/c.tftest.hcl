run "check" {
  command = plan
  variables {
    n = 6
  }
  expect_failures = [check.six]
}
