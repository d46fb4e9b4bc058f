variable "s" {
  default   = "hidden"
  sensitive = true
}
resource "terraform_data" "a" {
  count = 2
  input = { n = count.index, s = var.s }
}
resource "terraform_data" "b" {
  input      = terraform_data.a[0].output.n
  depends_on = [terraform_data.a]
}
module "m" {
  source   = "./m"
  for_each = toset(["x", "y"])
}
check "c" {
  assert {
    condition     = terraform_data.b.input == 0
    error_message = "no"
  }
}
output "o" {
  value     = terraform_data.a[*].output
  sensitive = true
}
output "p" {
  value = { a = 1, b = [true, null], c = module.m["x"].id != "" }
}
