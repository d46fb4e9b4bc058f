run "r" {
  bogus = 1
}
