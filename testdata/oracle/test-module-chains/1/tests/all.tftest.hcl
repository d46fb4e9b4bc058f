variables {
  size = 2
}
run "setup" {
  module {
    source = "./tests/setup"
  }
}
run "main" {
  variables {
    network = run.setup.name
  }
  assert {
    condition     = output.servers == ["net2-0", "net2-1"]
    error_message = join(",", output.servers)
  }
}
run "verify" {
  module {
    source = "./tests/verify"
  }
  variables {
    servers = run.main.servers
  }
  assert {
    condition     = output.count == 2
    error_message = "count"
  }
}
run "setup_again" {
  module {
    source = "./tests/setup"
  }
  variables {
    prefix = "other"
  }
  assert {
    condition     = output.name == "other2"
    error_message = output.name
  }
}
run "main_again" {
  variables {
    network = run.setup_again.name
    size    = 1
  }
  assert {
    condition     = length(terraform_data.server) == 1
    error_message = "one"
  }
}
run "verify_again" {
  command = plan
  module {
    source = "./tests/verify"
  }
  variables {
    servers = run.main_again.servers
  }
}
