variables {
  x = "two"
}
run "alone" {
}
run "refresh" {
  command = plan
  plan_options {
    mode = refresh-only
  }
}
run "replaced" {
  plan_options {
    replace = [terraform_data.a]
    refresh = false
  }
  assert {
    condition     = run.alone.o == output.o
    error_message = "wrong"
  }
}
