mock_provider "terraform" {
  source = "./mocks"
}
run "fake" {
  assert {
    condition = jsonencode(output.o) == "x"
    error_message = jsonencode(output.o)
  }
}
