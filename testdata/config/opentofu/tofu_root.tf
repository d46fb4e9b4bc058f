output "workspace" {
  value = tofu.workspace
}
locals {
  applying = tofu.applying
  nothing  = tofu.env
  whole    = tofu
}
resource "terraform_data" "a" {
  depends_on = [tofu.workspace]
  lifecycle {
    replace_triggered_by = [tofu.workspace]
  }
}
module "m" {
  source = "./${tofu.workspace}"
}
