locals {
  zero = -0
}
output "zero" {
  value = local.zero
}
output "nested" {
  value = { a = [local.zero, jsondecode("-0")] }
}
output "text" {
  value = "${local.zero} ${jsonencode(local.zero)} ${local.zero == 0}"
}
output "larger" {
  value = 1 / 0 > 5
}
