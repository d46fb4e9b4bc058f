run "resource" {
  command = plan
  variables {
    n = 5
  }
  expect_failures = [terraform_data.b]
}
