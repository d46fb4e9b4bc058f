run "made" {
  assert {
    condition     = output.acl == "private"
    error_message = "acl ${output.acl}"
  }
}
run "no_refresh" {
  command = plan
  plan_options {
    refresh = false
  }
  assert {
    condition     = mock_bucket.b.acl == "private"
    error_message = "acl ${mock_bucket.b.acl}"
  }
}
run "refresh_only" {
  plan_options {
    mode = refresh-only
  }
  assert {
    condition     = output.acl == "drifted" && mock_bucket.b.acl == "drifted"
    error_message = "acl ${output.acl}"
  }
}
run "restored" {
  assert {
    condition     = output.acl == "private"
    error_message = "acl ${output.acl}"
  }
}
run "replaced" {
  plan_options {
    replace = [mock_bucket.b]
  }
}
