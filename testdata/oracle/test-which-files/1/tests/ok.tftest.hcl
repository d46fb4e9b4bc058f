run "ok" {
  command = plan
}
