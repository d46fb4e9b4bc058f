run "fails" {
  variables {
    ok = false
  }
}
