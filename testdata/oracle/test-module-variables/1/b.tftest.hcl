variables {
  prefix = "file"
}
run "helper" {
  command = plan
  module {
    source = "./tests/helper"
  }
  assert {
    condition     = output.all == ""
    error_message = output.all
  }
}
