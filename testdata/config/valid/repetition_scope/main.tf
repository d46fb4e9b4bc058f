resource "terraform_data" "a" {
  count = 2
  input = [count.index, [for each in [1] : each]]
}
resource "terraform_data" "b" {
  for_each = { a = 1 }
  input    = "${each.key}=${each.value}"
}
module "m" {
  source = "./m"
  count  = 2
  x      = count.index
}
module "n" {
  source   = "./m"
  for_each = toset(["k"])
  x        = each.key
}
