variables {
  o = { a = "7" }
}
run "x" {
  assert {
    condition = jsonencode(output.o) == ""
    error_message = jsonencode(output.o)
  }
}
run "nul" {
  variables { 
    l = null 
    o = null
  }
  assert {
    condition = jsonencode([var.l, var.o]) == ""
    error_message = jsonencode([var.l, var.o])
  }
}
