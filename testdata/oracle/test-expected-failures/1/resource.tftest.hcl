run "five" {
  command         = plan
  expect_failures = [terraform_data.a]
  variables {
    x = 5
  }
}
run "six" {
  expect_failures = [terraform_data.a]
  variables {
    x = 6
  }
}
run "seven" {
  command         = plan
  expect_failures = [terraform_data.each, check.applied]
  variables {
    x = 7
  }
}
run "seven_key" {
  command         = plan
  expect_failures = [terraform_data.each["k"], check.applied]
  variables {
    x = 7
  }
}
run "unexpected" {
  variables {
    x = 6
  }
}
