provider "mock" {
  alias  = "of_setup"
  region = run.setup.region
}
provider "mock" {
}
run "setup" {
  module {
    source = "./setup"
  }
}
run "main" {
  providers = {
    mock = mock.of_setup
  }
}
run "second_setup" {
  state_key = "second"
  module {
    source = "./setup"
  }
}
