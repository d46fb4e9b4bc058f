variables { b = "fileb" }
run "setup" {
  module { source = "./tests/setup" }
  override_resource {
    target = module.inner.terraform_data.i
    values = { output = "over" }
  }
}
run "main" {
  variables { a = run.setup.so }
  assert { 
   condition = terraform_data.r.output == "fileb"
   error_message = "x" 
  }
}
run "bad" {
  variables { b = "bad" }
  module { source = "./tests/setup" }
  expect_failures = [terraform_data.s]
}
run "after" {
  variables { a = "${run.setup.so}-${run.main.o}" }
  assert { 
   condition = terraform_data.r.output == run.main.o
   error_message = terraform_data.r.output
  }
}
run "missing" {
  variables { b = null }
  module { source = "./tests/setup" }
}
