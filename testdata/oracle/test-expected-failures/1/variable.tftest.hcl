run "two" {
  command         = plan
  expect_failures = [var.x]
  variables {
    x = 2
  }
}
run "applied" {
  expect_failures = [var.x]
  variables {
    x = 2
  }
}
run "skipped" {
}
