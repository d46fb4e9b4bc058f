variable "size" {
  default = 2
  validation {
    condition     = var.size > 0
    error_message = "too small"
  }
}
variable "unread" { default = "x" }
locals {
  name   = "n-${var.size}"
  unread = 1
}
provider "terraform" { alias = "second" }

resource "terraform_data" "root" { input = local.name }
resource "terraform_data" "keys" {
  provider = terraform.second
  count    = var.size
  input    = terraform_data.root.id
}
resource "terraform_data" "reader" {
  input = terraform_data.keys[1].id
  lifecycle {
    replace_triggered_by = [terraform_data.trigger]
    precondition {
      condition     = terraform_data.conditioned.id != ""
      error_message = "none"
    }
  }
  provisioner "local-exec" { command = "echo ${terraform_data.provisioned.id}" }
}
resource "terraform_data" "trigger" {}
resource "terraform_data" "conditioned" {}
resource "terraform_data" "provisioned" {}

module "edge" {
  source     = "./edge"
  for_each   = toset(["a", "b"])
  parent     = terraform_data.root.id
  depends_on = [module.empty]
}
module "empty" {
  source = "./empty"
}
resource "terraform_data" "late" { input = module.empty }
data "terraform_remote_state" "other" {
  backend    = "local"
  config     = { path = "other.tfstate" }
  depends_on = [terraform_data.late]
}
check "named" {
  assert {
    condition     = terraform_data.root.id != ""
    error_message = "none"
  }
}
output "edges" { value = module.edge["a"].routes }
output "constant" { value = 1 }
