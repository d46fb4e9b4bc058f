run "unset" {
  module {
    source = "./setup"
  }
}
