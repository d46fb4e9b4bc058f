mock_provider "mock" {
  alias = "fake"
  mock_data "mock_d" {
    defaults = {
      made = "fake"
    }
  }
}
provider "mock" {
  region = "test"
}
run "real" {
  assert {
    condition     = data.mock_d.now.made != "fake"
    error_message = "mocked"
  }
}
run "fake" {
  state_key = "fake"
  providers = {
    mock = mock.fake
  }
  assert {
    condition     = data.mock_d.now.made == "fake"
    error_message = "not mocked"
  }
}
