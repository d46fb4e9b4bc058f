resource "terraform_data" "a" {
  input = count.index
  count = each.key
}
resource "terraform_data" "b" {
  for_each = count.index
  input    = each.key
}
resource "terraform_data" "c" {
  count = count.index
  input = each.value
}
resource "terraform_data" "d" {
  for_each = { a = 1 }
  input    = each.foo
}
locals {
  x = [count.index, each.key]
}
