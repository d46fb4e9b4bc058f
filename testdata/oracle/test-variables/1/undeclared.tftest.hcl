run "given" {
  variables {
    zzz = 1
  }
}
run "read" {
  assert {
    condition     = var.nope == 1
    error_message = "m"
  }
}
