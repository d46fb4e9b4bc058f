mock_provider "terraform" {
  mock_resource "terraform_data" { 
    override_during = plan
    defaults = { id = "mock" } 
  }
}
override_resource {
  target = terraform_data.c
  values = { id = "cov" }
}
run "ab" {
  command = plan
  assert {
    condition = terraform_data.a.id == "z"
    error_message = terraform_data.a.id
  }
  assert {
    condition = terraform_data.b.id == "z"
    error_message = terraform_data.b.id
  }
}
run "applied" {
  assert {
    condition = jsonencode(output.o) == "z"
    error_message = jsonencode(output.o)
  }
}
run "updated" {
  override_resource {
    target = terraform_data.c
    values = { id = "cov2" }
  }
  assert {
    condition = jsonencode(output.o) == "z"
    error_message = jsonencode(output.o)
  }
}
run "c" {
  command = plan
  override_resource {
    target = terraform_data.c
    override_during = plan
    values = { id = "cov3" }
  }
  assert {
    condition = terraform_data.c.id == "z"
    error_message = terraform_data.c.id
  }
}
