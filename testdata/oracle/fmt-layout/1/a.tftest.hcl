run "a" {
  assert {
 condition=true
 error_message=""
}
}
