variables {
  owner = "none"
}
run "both" {
  command         = plan
  expect_failures = [data.mock_image.i["b"], terraform_data.r["y"]]
}
