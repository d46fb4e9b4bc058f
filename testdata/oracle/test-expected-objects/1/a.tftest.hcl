variables {
  owner = "other"
}
run "data" {
  command         = plan
  expect_failures = [data.mock_image.i]
}
run "data_instance" {
  command         = plan
  expect_failures = [data.mock_image.i["b"]]
}
