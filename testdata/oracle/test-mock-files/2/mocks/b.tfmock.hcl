override_resource {
  target = terraform_data.r
  values = { id = "ovfile" }
}
