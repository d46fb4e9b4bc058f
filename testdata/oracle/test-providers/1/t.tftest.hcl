mock_provider "terraform" {
  alias = "fake"
  mock_resource "terraform_data" {
   defaults = { id = "fake" }
  }
}
run "real" {
  assert {
    condition = output.o != "fake"
    error_message = "is fake"
  }
}
run "fake" {
  state_key = "f"
  providers = { terraform = terraform.fake }
  assert {
    condition = output.o == "fake"
    error_message = "is real"
  }
}
