resource "terraform_data" "a" {
  count            = 1 + 1
  input            = [for x in ["a"] : x]
  triggers_replace = { a = upper("x"), b = 1 }
  provisioner "local-exec" {
    command     = "true ${1 + 1}"
    environment = { A = upper("x"), B = "c" }
  }
  depends_on = [terraform_data.b]
}
resource "terraform_data" "b" {
  for_each = toset(["x"])
  input    = true ? each.key : "x"
}
resource "terraform_data" "c" {
  for_each = { a = 1 }
  input    = [1, 2][0]
}
module "m" {
  source = "./m"
  count  = length(["x"])
  a      = upper("x")
  b      = [for x in ["a"] : x]
  c      = "x${1}"
  d      = terraform_data.c["a"].input
}
