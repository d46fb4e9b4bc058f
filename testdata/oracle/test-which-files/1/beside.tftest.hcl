run "beside" {
  command = plan
}
