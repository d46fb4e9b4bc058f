run "nine" {
  expect_failures = [output.w]
  variables {
    x = 9
  }
}
run "missing" {
  expect_failures = [output.w, terraform_data.a]
  assert {
    condition     = output.w == 9
    error_message = "not looked at"
  }
}
