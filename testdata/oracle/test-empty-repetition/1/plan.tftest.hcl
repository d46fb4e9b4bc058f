run "resources" {
  command = plan
  assert {
    condition     = length(terraform_data.counted) == 0
    error_message = "counted"
  }
  assert {
    condition     = length(terraform_data.each) == 0
    error_message = "each"
  }
  assert {
    condition     = length(terraform_data.of_unknown) == 0
    error_message = "of unknown"
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
  assert {
    condition     = keys(terraform_data.each) == []
    error_message = "each keys ${jsonencode(keys(terraform_data.each))}"
  }
  assert {
    condition     = try(terraform_data.counted[0].id, "none") == "none" && one(terraform_data.counted) == null && terraform_data.counted[*].id == []
    error_message = "splats"
  }
  assert {
    condition     = output.sizes == [0, 0, 0, 0]
    error_message = "output"
  }
}
