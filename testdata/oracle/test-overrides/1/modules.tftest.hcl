override_module {
  target = module.c
  outputs = {
    out = "overridden"
  }
}
override_module {
  target = module.k["a"]
  outputs = {
    out = "ka"
  }
}
run "plan" {
  command = plan
  assert {
    condition     = module.c.out == "overridden" && module.c.second == null && terraform_data.l[0].input == "overridden"
    error_message = "no: ${jsonencode(module.c)}"
  }
}
run "applied" {
  assert {
    condition     = module.k["a"].out == "ka" && module.k["b"].out == "b"
    error_message = "no: ${jsonencode(module.k)}"
  }
}
run "all" {
  command = plan
  override_module {
    target = module.k
    outputs = {
      out = "kall"
    }
  }
  override_module {
    target = module.c
    outputs = {
      out = "run"
    }
  }
  assert {
    condition     = module.k["a"].out == "ka" && module.k["b"].out == "kall" && module.c.out == "run"
    error_message = "no: ${jsonencode(module.k)}"
  }
}
