run "first" {
  command = plan
  variables {
    items = { a = { n = 1 }, b = { n = "2" } }
  }
}
run "second" {
  command = plan
  variables {
    items = { for k, v in run.first.items : upper(k) => { n = v.n * 10 } }
  }
  assert {
    condition     = output.items["B"].n == 20 && output.none == null && run.first.none == null
    error_message = jsonencode(output.items)
  }
}
run "third" {
  command = plan
  variables {
    items = merge(run.first.items, run.second.items)
  }
  assert {
    condition     = sum([for v in values(output.items) : v.n]) == 34
    error_message = jsonencode(output.items)
  }
}
