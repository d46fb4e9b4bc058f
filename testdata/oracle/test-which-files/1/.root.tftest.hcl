run "hidden" {
  command = plan
}
