run "x" {
}
run "y" {
  variables { p = run.x.o }
  assert {
    condition = terraform_data.r.output == "a"
    error_message = "no"
  }
}
