override_resource {
  target = terraform_data.l
  values = {
    id = "all"
  }
}
run "inner" {
  override_resource {
    target = module.c.terraform_data.in
    values = {
      output = "inner"
    }
  }
  override_resource {
    target = terraform_data.l[0]
    values = {
      id = "zero"
    }
  }
  assert {
    condition     = module.c.out == "inner"
    error_message = "no: ${jsonencode(module.c)}"
  }
  assert {
    condition     = terraform_data.l[0].id == "zero" && terraform_data.l[1].id == "all"
    error_message = "no"
  }
}
run "kept" {
  assert {
    condition     = terraform_data.l[0].id == "zero" && module.c.out == "inner"
    error_message = "no"
  }
}
