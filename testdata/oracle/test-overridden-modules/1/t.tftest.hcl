run "one" {
  override_module {
    target = module.m[1]
    outputs = { o = "over" }
  }
  assert {
    condition = jsonencode(output.o) == "q"
    error_message = jsonencode(output.o)
  }
}
run "inner" {
  override_resource {
    target = module.m[0].terraform_data.x
    values = { output = "inner" }
  }
  assert {
    condition = jsonencode(output.o) == "q"
    error_message = jsonencode(output.o)
  }
}
run "innerall" {
  state_key = "new"
  override_resource {
    target = module.m.terraform_data.x
    values = { output = "innerall" }
  }
  assert {
    condition = jsonencode(output.o) == "q"
    error_message = jsonencode(output.o)
  }
}
