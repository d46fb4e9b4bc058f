mock_provider "terraform" {
  mock_resource "terraform_data" { 
    defaults = { id = "default" } 
  }
}
mock_provider "terraform" {
  alias = "b"
  mock_resource "terraform_data" { 
    defaults = { id = "bee" } 
  }
}
run "x" {
  assert {
    condition = jsonencode(output.o) == ""
    error_message = jsonencode(output.o)
  }
}
run "swapped" {
  state_key = "s"
  providers = {
    terraform = terraform.b
    terraform.b = terraform
  }
  assert {
    condition = jsonencode(output.o) == ""
    error_message = jsonencode(output.o)
  }
}
run "m" {
  module { source = "./m" }
  providers = { terraform = terraform.b }
  assert {
    condition = output.o == ""
    error_message = output.o
  }
}
run "mdef" {
  module { source = "./m" }
  state_key = "mdef"
  assert {
    condition = output.o == ""
    error_message = output.o
  }
}
