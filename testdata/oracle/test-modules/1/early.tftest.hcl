run "early" {
  variables {
    n = run.late.c
  }
}
run "late" {
}
