run "attribute" {
  command = plan
  variables {
    owner = "none"
  }
  expect_failures = [data.mock_image.i["b"].owner, terraform_data.r["y"].id]
}
