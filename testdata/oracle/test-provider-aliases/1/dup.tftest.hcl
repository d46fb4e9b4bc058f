mock_provider "terraform" {
  alias = "b"
}
provider "terraform" {
  alias = "c"
}
run "x" {
  providers = {
    terraform = terraform.c
    terraform.b = terraform.b
  }
}
run "undeclared" {
  providers = {
    terraform = terraform.c
    terraform.b = terraform.b
    terraform.zz = terraform.b
  }
}
