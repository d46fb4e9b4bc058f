run "fails" {
  variables {
    fail = true
  }
}
run "more" {
  state_key = "more"
  variables {
    fail = true
  }
}
run "ends" {
  state_key = "ends"
}
