run "fails" {
  command = plan
}
