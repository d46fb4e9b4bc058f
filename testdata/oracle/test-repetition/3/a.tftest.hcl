run "off" {
  assert {
    condition     = length(terraform_data.maybe) == 0 && output.maybe == null
    error_message = "off"
  }
}
run "on" {
  variables {
    on = true
  }
  assert {
    condition     = terraform_data.maybe[0].output == "on" && output.maybe == "on"
    error_message = "on"
  }
}
run "off_again" {
  assert {
    condition     = terraform_data.maybe == []
    error_message = "still ${jsonencode(terraform_data.maybe)}"
  }
}
run "index_out_of_range" {
  assert {
    condition     = terraform_data.maybe[0].output == "on"
    error_message = "none"
  }
}
