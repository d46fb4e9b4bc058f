run "overridden" {
  override_resource {
    target = terraform_data.p
  }
}
