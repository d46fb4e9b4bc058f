mock_provider "terraform" {
  override_during = plan
  mock_resource "terraform_data" { 
    override_during = apply
    defaults = { id = "mock" } 
  }
  override_resource {
    target = terraform_data.b
    values = { id = "bov" }
  }
  override_resource {
    target = terraform_data.c
    override_during = apply
    values = { id = "cov" }
  }
}
run "b" {
  command = plan
  assert {
    condition = terraform_data.b.id == "z"
    error_message = terraform_data.b.id
  }
}
run "a" {
  command = plan
  assert {
    condition = terraform_data.a.id == "z"
    error_message = terraform_data.a.id
  }
}
