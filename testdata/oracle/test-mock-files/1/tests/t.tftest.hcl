mock_provider "terraform" {
  source = "./mocks"
  mock_resource "terraform_data" {
    defaults = { id = "inline" }
  }
}
run "fake" {
  assert {
    condition = output.o == "fromfile"
    error_message = output.o
  }
}
