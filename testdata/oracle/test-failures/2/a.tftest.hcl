run "a" {}
run "b" { command = plan }
