run "bad" {
  override_module {
    target = module.m
    outputs = { nope = "over" }
  }
}
