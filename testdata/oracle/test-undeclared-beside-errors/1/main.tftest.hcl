run "wrong" {
  variables {
    extra = 1
    name  = run.nope.x
  }
}
