variable "plain" {
  type        = number
  default     = 1
  description = "A number."
}
variable "secret" {
  default   = { a = "x" }
  sensitive = true
}
variable "token" {
  default   = "t"
  ephemeral = true
}
variable "none" { default = null }
locals {
  keys = { k = "v" }
  list = [1, 2]
}
data "terraform_remote_state" "peer" {
  backend = "local"
  config  = { path = "${path.module}/peer.json" }
}
resource "terraform_data" "one" {
  count = length(local.list)
  input = { i = count.index, n = local.list[count.index], k = local.keys["k"] }
}
resource "terraform_data" "two" {
  for_each         = local.keys
  input            = [each.key, each.value, terraform.workspace]
  triggers_replace = terraform_data.one[0].output.i
  depends_on       = [terraform_data.one, data.terraform_remote_state.peer, module.child]
}
resource "terraform_data" "three" {
  count = 1 + 1
  input = terraform_data.one[*].id
  provisioner "local-exec" {
    command     = "true ${self.id}"
    environment = { A = var.plain }
  }
  lifecycle {
    ignore_changes = [input]
    precondition {
      condition     = var.plain > 0
      error_message = "no"
    }
  }
}
module "child" {
  source   = "./child"
  for_each = toset(["a", "b"])
  name     = "${each.key}-${var.plain}"
}
module "single" {
  source     = "./child"
  count      = 2
  name       = "s"
  depends_on = [terraform_data.one[0]]
}
output "splat" { value = terraform_data.one[*].output.n }
output "instance" { value = terraform_data.two["k"].input[0] }
output "dynamic_index" { value = terraform_data.one[var.plain].id }
output "module_key" { value = module.child["a"].id }
output "module_index" {
  value      = module.single[0].id
  depends_on = [terraform_data.three]
}
output "module_all" { value = module.child }
output "data_attr" { value = try(data.terraform_remote_state.peer.outputs["x"].y, null) }
output "explicit" { value = resource.terraform_data.three[1].id }
output "sum" { value = 1 + var.plain }
output "call" { value = upper("x") }
output "secret" {
  value       = var.secret.a
  sensitive   = true
  description = "One line."
}
output "loop" { value = { for k, v in local.keys : k => "${v}${var.plain}" if k != local.list[0] } }
output "heredoc" {
  value = <<-EOT
    a ${local.keys.k}
      b
  EOT
}
