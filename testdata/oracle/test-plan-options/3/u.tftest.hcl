run "applies" {
}
