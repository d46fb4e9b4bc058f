run "resources" {
  assert {
    condition     = length(terraform_data.counted) == 0
    error_message = "counted"
  }
  assert {
    condition     = length(terraform_data.each) == 0
    error_message = "each"
  }
  assert {
    condition     = length(data.terraform_remote_state.s) == 0
    error_message = "data"
  }
  assert {
    condition     = length(module.m) == 0 && length(module.e) == 0
    error_message = "modules"
  }
  assert {
    condition     = module.one.x == 0
    error_message = "x"
  }
  assert {
    condition     = terraform_data.counted == []
    error_message = "counted []"
  }
  assert {
    condition     = terraform_data.each == {}
    error_message = "each {}"
  }
}
