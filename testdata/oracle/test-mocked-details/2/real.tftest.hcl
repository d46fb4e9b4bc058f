override_data {
  target = data.mock_image.i
}
run "data_without_values" {
  assert {
    condition     = output.all[0] == "arn:mock:bucket" && length(output.all[3]) == 8
    error_message = jsonencode(output.all)
  }
}
