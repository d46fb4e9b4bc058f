override_resource {
  target          = terraform_data.l
  override_during = plan
  values = {
    id = "known"
  }
}
run "plan" {
  command = plan
  assert {
    condition     = terraform_data.l[1].id == "known"
    error_message = "no"
  }
}
run "later" {
  command = plan
  override_resource {
    target = terraform_data.l[1]
    values = {
      id = "later"
    }
  }
  assert {
    condition     = terraform_data.l[1].id == "later"
    error_message = "no"
  }
}
