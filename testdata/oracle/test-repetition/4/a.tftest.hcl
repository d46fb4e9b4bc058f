run "whole" {
  assert {
    condition     = var.cfg == { a = "x", b = null }
    error_message = "cfg"
  }
  assert {
    condition     = module.m == { a = 1, b = "secret" }
    error_message = "module ${nonsensitive(jsonencode(module.m))}"
  }
  assert {
    condition     = output.r.input == local.merged
    error_message = "input"
  }
  assert {
    condition     = keys(output.r) == ["id", "input", "output", "triggers_replace"]
    error_message = "keys ${jsonencode(keys(output.r))}"
  }
  assert {
    condition     = terraform_data.r.triggers_replace == null && length(module.m) == 2
    error_message = "null"
  }
  assert {
    condition     = module.m.b == "other"
    error_message = "b is ${module.m.b}"
  }
}
