mock_provider "terraform" {
  source = "./mocks"
  override_resource {
    target = terraform_data.r
    values = { id = "ovinline" }
  }
}
run "fake" {
  assert {
    condition = jsonencode(output.o) == "x"
    error_message = jsonencode(output.o)
  }
}
