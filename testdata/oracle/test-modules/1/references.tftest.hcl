run "one" {
  command = plan
}
run "known" {
  variables {
    n = length(run.one.ids)
  }
}
run "unknown" {
  variables {
    n = run.one.c == "x" ? 1 : 2
  }
}
