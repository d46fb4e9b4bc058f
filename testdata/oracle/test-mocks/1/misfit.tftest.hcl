override_resource {
  target          = mock_r.a
  override_during = plan
  values = {
    n = "wrong"
  }
}
run "planned" {
  command = plan
}
