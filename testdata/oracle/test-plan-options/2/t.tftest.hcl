run "emptyplan" {
  command = plan
}
run "emptystate" {
}
run "some" {
  variables { n = 1 }
}
run "ref" {
  command = plan
  variables { n = 1 }
  plan_options { mode = refresh-only }
}
run "perr" {
  command = plan
  variables { n = -1 }
}
