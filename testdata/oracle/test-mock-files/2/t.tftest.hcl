mock_provider "terraform" {
  source = "./mocks"
  mock_resource "terraform_data" {
    defaults = { id = "inline" }
  }
}
run "fake" {
  assert {
    condition = jsonencode(output.o) == "x"
    error_message = jsonencode(output.o)
  }
}
