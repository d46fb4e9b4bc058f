variable "release" {
  default = "one"
}
resource "terraform_data" "service" {
  triggers_replace = var.release
  provisioner "local-exec" {
    command = "sleep 0.3; sed 's/\"up\": {\"value\": true, \"type\": \"bool\"}/\"release\": {\"value\": \"${var.release}\", \"type\": \"string\"}/' made.json > keep.made"
  }
}
check "root" {
  data "terraform_remote_state" "made" {
    backend = "local"
    config  = { path = "keep.made" }
  }
  assert {
    condition     = data.terraform_remote_state.made.outputs.release == var.release
    error_message = "Not released."
  }
}
module "m" {
  source  = "./m"
  release = var.release
}
resource "terraform_data" "after" {
  depends_on = [terraform_data.service]
  input      = var.release
}
