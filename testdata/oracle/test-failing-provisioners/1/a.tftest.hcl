run "fine" {
}
