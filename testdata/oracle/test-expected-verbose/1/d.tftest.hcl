run "made" {
}
run "changed" {
  command = plan
  variables {
    n = 5
  }
  expect_failures = [terraform_data.b]
}
run "goes_on" {
  variables {
    n = 2
  }
}
