run "plan" {
  command = plan
  assert {
    condition     = length(terraform_data.counted) == 0 && length(terraform_data.each) == 0
    error_message = "counted"
  }
}
run "apply" {
  assert {
    condition     = length(terraform_data.counted) == 0 && length(terraform_data.each) == 0
    error_message = "counted"
  }
}
run "on" {
  variables {
    on = true
  }
  assert {
    condition     = length(terraform_data.counted) == 1 && length(terraform_data.each) == 1
    error_message = "counted"
  }
}
run "off" {
  command = plan
  assert {
    condition     = length(terraform_data.counted) == 0 && length(terraform_data.each) == 0
    error_message = "counted"
  }
}
run "off_applied" {
  assert {
    condition     = length(terraform_data.counted) == 0 && length(terraform_data.each) == 0
    error_message = "counted"
  }
}
