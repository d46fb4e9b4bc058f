variables {
  from_block = local.x
}
run "read" {
}
