run "all" {
  assert {
    condition     = module.outer["a"].names == ["a0", "a1"]
    error_message = "a: ${jsonencode(module.outer["a"].names)}"
  }
  assert {
    condition     = output.names["b"][1] == "b1"
    error_message = "b"
  }
  assert {
    condition     = module.outer["c"].names == []
    error_message = "no c"
  }
}
run "inside_is_not_visible" {
  assert {
    condition     = module.outer["a"].inner[0].name == "a0"
    error_message = "inner"
  }
}
run "overridden" {
  command = plan
  override_module {
    target  = module.outer["a"].module.inner[0]
    outputs = { name = "made up" }
  }
  assert {
    condition     = output.names["a"][0] == "made up"
    error_message = "override: ${jsonencode(output.names)}"
  }
}
run "inner_resource" {
  override_resource {
    target = module.outer["b"].module.inner[1].terraform_data.x
    values = { output = "of override" }
  }
  assert {
    condition     = output.names["b"][1] == "of override"
    error_message = "override: ${jsonencode(output.names)}"
  }
}
