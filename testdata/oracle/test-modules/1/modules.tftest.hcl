run "setup" {
  module {
    source = "./setup"
  }
  variables {
    p = "pp"
  }
}
run "main" {
  variables {
    n = run.setup.v == "pp" ? 1 : 0
  }
  assert {
    condition     = length(terraform_data.l) == 1 && module.c.out == "x"
    error_message = "wrong"
  }
}
run "setup_again" {
  module {
    source = "./setup"
  }
  variables {
    p = "qq"
  }
  assert {
    condition     = terraform_data.s.input == "qq" && var.p == "qq"
    error_message = "wrong"
  }
}
run "setup_elsewhere" {
  state_key = "other"
  module {
    source = "./setup"
  }
  variables {
    p = "rr"
  }
}
run "child" {
  module {
    source = "./child"
  }
  variables {
    name = run.setup_again.v
  }
  assert {
    condition     = output.out == "qq"
    error_message = "wrong"
  }
}
