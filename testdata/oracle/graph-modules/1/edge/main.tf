variable "parent" {
  type = string
  validation {
    condition     = var.parent != ""
    error_message = "none"
  }
}
variable "unset" { default = null }
locals { up = upper(var.parent) }
resource "terraform_data" "own" { input = local.up }
module "route" {
  source = "./route"
  up     = terraform_data.own.id
}
check "inside" {
  data "terraform_remote_state" "scoped" {
    backend = "local"
    config  = { path = "scoped.tfstate" }
  }
  assert {
    condition     = terraform_data.own.id != ""
    error_message = "none"
  }
}
output "routes" { value = module.route.id }
