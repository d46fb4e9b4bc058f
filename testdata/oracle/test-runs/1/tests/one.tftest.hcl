variables {
  x = "file"
}
run "first" {
  assert {
    condition     = output.o == "file" && var.x == "file"
    error_message = "wrong ${output.o}"
  }
}
run "second" {
  command = plan
  variables {
    x = "${run.first.o}-2"
  }
  assert {
    condition     = terraform_data.a.input == "file-3"
    error_message = "wrong"
  }
  assert {
    condition     = output.s == "secret"
    error_message = "wrong"
  }
  assert {
    condition     = terraform_data.a.input == upper(var.x)
    error_message = "wrong as well"
  }
}
run "third" {
  variables {
    x = "third"
  }
  assert {
    condition     = terraform_data.b.id == run.first.id
    error_message = "replaced"
  }
}
run "undecided" {
  command = plan
  variables {
    x = "fourth"
  }
  assert {
    condition     = output.o == "fourth"
    error_message = "wrong"
  }
}
run "skipped" {
}
