output "a" {}
output "b" {
  value     = 1
  sensitive = "x"
}
output "c" {
  value      = 1
  depends_on = terraform_data.x
}
output "d" {
  value      = 1
  depends_on = [terraform_data.x.input, terraform_data.x[0], data.foo.bar, module.m.x, var.v.w, 1 + 1]
}
output "e" {
  value     = 1
  ephemeral = true
}
output "f" {
  value = 1
  precondition {
    condition     = true
    error_message = "x"
  }
  postcondition {}
}
output "g" {
  value = 1
  type  = string
}
output "9" { value = 1 }
resource "terraform_data" "x" {}
variable "v" {}
