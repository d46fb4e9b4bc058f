variables {
  f = formatdate("YYYY", timestamp())
}
run "run_level" {
  command = plan
  variables {
    t = timestamp()
  }
  assert {
    condition     = length(output.t) == 20
    error_message = "t"
  }
}
run "file_level" {
  command = plan
  assert {
    condition     = tonumber(var.f) > 2000
    error_message = "f"
  }
}
run "made" {
  command = plan
  variables {
    t = "${uuid()}-${bcrypt("x")}"
  }
  assert {
    condition     = length(output.t) > 36
    error_message = "t"
  }
}
