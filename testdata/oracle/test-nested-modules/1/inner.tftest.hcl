run "inner" {
  module {
    source = "./outer/inner"
  }
  variables {
    name = "n"
  }
  assert {
    condition     = terraform_data.x.output == "n"
    error_message = "n"
  }
}
run "outer" {
  module {
    source = "./outer"
  }
  variables {
    name = "n"
  }
  assert {
    condition     = module.inner[1].name == "n1"
    error_message = "n"
  }
}
