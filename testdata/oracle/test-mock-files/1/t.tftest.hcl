mock_provider "terraform" {
  source = "./mocks"
}
run "fake" {
  assert {
    condition = output.o == "fromfile"
    error_message = "is real"
  }
}
