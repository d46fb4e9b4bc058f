mock_provider "terraform" {
  alias = "b"
}
run "x" {
  providers = {
    terraform.b = terraform.b
  }
}
