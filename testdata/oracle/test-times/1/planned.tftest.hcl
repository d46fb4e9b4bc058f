run "planned" {
  command = plan
  assert {
    condition     = plantimestamp() == output.planned && plantimestamp() != var.t
    error_message = "${plantimestamp()} is not ${output.planned}"
  }
}
run "applied" {
  assert {
    condition     = plantimestamp() == output.planned && plantimestamp() != run.planned.t
    error_message = "${plantimestamp()} is not ${output.planned}"
  }
}
