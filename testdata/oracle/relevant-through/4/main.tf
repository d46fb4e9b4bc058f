
variable "v" { default = "one" }
resource "terraform_data" "a" { input = var.v }
resource "terraform_data" "t" { input = "t" }
resource "terraform_data" "b" {
  input            = { x = terraform_data.a.output, y = { z = terraform_data.t.output } }
  triggers_replace = terraform_data.t.id
}
resource "terraform_data" "n" {
  count = 2
  input = [terraform_data.t.input, count.index]
}
data "terraform_remote_state" "s" {
  backend  = "local"
  config   = { path = terraform_data.t.output == "t" ? "keep.other" : "x" }
  defaults = { d = terraform_data.t.id }
}
output "o" { value = terraform_data.b.input.x }
