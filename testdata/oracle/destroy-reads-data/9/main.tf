resource "terraform_data" "a" {}
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "${path.module}/keep.other" }
}
removed {
  from = terraform_data.b
  lifecycle { destroy = false }
}
output "now" { value = data.terraform_remote_state.s.outputs.v }
