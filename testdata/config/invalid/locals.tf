locals {
  a = 1
}
locals {
  a   = 2
  b-c = local.aa
  block {}
}
