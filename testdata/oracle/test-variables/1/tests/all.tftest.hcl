variables {
  from_block = "block ${var.from_option}"
  from_run   = "block"
  extra      = "extra"
}
run "all" {
  variables {
    from_run = "run ${var.from_block} ${var.extra}"
  }
  assert {
    condition     = jsonencode(output.all) == jsonencode(["default", "env", "file", "auto", "tests", "tests", "block tests", "run block tests extra"])
    error_message = "got ${jsonencode(output.all)}"
  }
  assert {
    condition     = var.extra == "extra" && var.from_run == "run block tests extra"
    error_message = "wrong"
  }
}
run "option" {
  variables {
    from_run = "${var.extra_option} ${var.extra_env}"
  }
  assert {
    condition     = output.all[7] == "eo ee"
    error_message = "got ${output.all[7]}"
  }
}
