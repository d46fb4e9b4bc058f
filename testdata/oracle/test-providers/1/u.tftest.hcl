run "none" {
  providers = { terraform = terraform.nope }
}
