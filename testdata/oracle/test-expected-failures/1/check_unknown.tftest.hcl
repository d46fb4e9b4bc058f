run "expected" {
  command         = plan
  expect_failures = [check.applied]
}
run "unexpected" {
  command = plan
}
