run "three" {
  expect_failures = [check.known]
  variables {
    x = 3
  }
}
run "four" {
  expect_failures = [check.applied]
  variables {
    x = 4
  }
}
run "four_planned" {
  command         = plan
  expect_failures = [check.applied]
  variables {
    x = 4
  }
}
run "unexpected" {
  variables {
    x = 3
  }
}
