run "real_data_fails" {
}
