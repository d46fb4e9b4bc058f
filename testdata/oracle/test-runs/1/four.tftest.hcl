run "missing" {
}
