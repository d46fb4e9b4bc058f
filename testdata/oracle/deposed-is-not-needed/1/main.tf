variable "v" { default = "1" }
resource "terraform_data" "base" {
  input            = "x"
  triggers_replace = var.v
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "late" {
  input            = terraform_data.base.id
  triggers_replace = var.v
  provisioner "local-exec" { command = "test ${var.v} = 1" }
}
data "terraform_remote_state" "named" {
  backend    = "local"
  config     = { path = "rs.json" }
  depends_on = [terraform_data.base]
}
data "terraform_remote_state" "read" {
  backend = "local"
  config  = { path = terraform_data.base.input == "x" ? "rs.json" : "none" }
}
data "terraform_remote_state" "checked" {
  backend = "local"
  config  = { path = "rs.json" }
  lifecycle {
    precondition {
      condition     = terraform_data.base.output == "x"
      error_message = "x is wanted"
    }
  }
}
output "o" { value = data.terraform_remote_state.named.outputs }
