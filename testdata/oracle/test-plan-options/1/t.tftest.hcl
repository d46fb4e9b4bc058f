run "target" {
  plan_options { target = [terraform_data.r] }
}
run "all" {}
run "replace" {
  plan_options { replace = [terraform_data.r] }
  assert {
    condition = run.all.o != output.o
    error_message = "same"
  }
}
run "refreshonly" {
  command = plan
  plan_options {
    mode = refresh-only
  }
}
run "norefresh" {
  command = plan
  plan_options {
    refresh = false
  }
}
