mock_provider "mock" {}
run "planned" {
  command = plan
}
run "applied" {
  assert {
    condition     = length(output.a) == 8 && mock_r.a.n == 0 && !mock_r.a.b && length(mock_r.a.l) == 0 && mock_r.a.o.y == 0
    error_message = "no"
  }
  assert {
    condition     = data.mock_d.d.name == output.a && mock_r.a.nest.a == "x" && length(mock_r.a.nest.c) == 8
    error_message = "no"
  }
}
run "again" {
  command = plan
  assert {
    condition     = mock_r.a.id == run.applied.a
    error_message = "changed"
  }
}
