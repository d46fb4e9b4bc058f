run "all" {
  assert {
    condition     = alltrue([for k, r in terraform_data.each : r.input.key == k])
    error_message = "keys"
  }
  assert {
    condition     = terraform_data.count[*].input == [0, 1]
    error_message = "splat ${jsonencode(terraform_data.count[*].input)}"
  }
  assert {
    condition     = terraform_data.count[*].output == tolist([0, 1])
    error_message = "splat ${jsonencode(terraform_data.count[*].output)}"
  }
  assert {
    condition     = local.doubled == tolist(["aa", "bb", "cc"])
    error_message = "locals"
  }
  assert {
    condition     = local.doubled[0] == "aa" && output.doubled[2] == "cc"
    error_message = "index"
  }
  assert {
    condition     = module.m.y == "in out" && module.m.obj.b[0]
    error_message = "module"
  }
  assert {
    condition     = can(regex("^[a-c]+$", join("", var.list)))
    error_message = "can"
  }
  assert {
    condition     = try(local.by_key["zzz"], 99) == 99
    error_message = "try"
  }
  assert {
    condition     = length(terraform_data.each) == 3 ? true : false
    error_message = "conditional"
  }
  assert {
    condition     = terraform_data.each["a"].id != terraform_data.each["b"].id
    error_message = "ids"
  }
  assert {
    condition     = contains(keys(terraform_data.each), "c") && !contains(values(local.by_key), 7)
    error_message = "contains"
  }
  assert {
    condition     = path.module == "." && path.root == "." && terraform.workspace == "default"
    error_message = "paths ${path.module} ${path.root} ${terraform.workspace}"
  }
  assert {
    condition     = one(terraform_data.each[*]) == null
    error_message = "one"
  }
}
