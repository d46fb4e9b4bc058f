variable "v" { default = "v2" }
resource "terraform_data" "net" {
  count = 3
  input = "${var.v} net ${count.index}"
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = "${var.v} ${terraform_data.net[0].input} ${each.key}"
}
resource "terraform_data" "host" {
  input = "${var.v} ${terraform_data.each["a"].input}"
}
resource "terraform_data" "waits" {
  input      = var.v
  depends_on = [terraform_data.net[1]]
}
locals {
  second = terraform_data.net[1].output
}
resource "terraform_data" "local" {
  input = "${var.v} ${local.second}"
}
resource "terraform_data" "all" {
  input = [var.v, terraform_data.net[*].input]
}
resource "terraform_data" "trig" {
  input = var.v
  lifecycle {
    replace_triggered_by = [terraform_data.net[2]]
  }
}
module "m" {
  source   = "./m"
  for_each = toset(["x", "y"])
  v        = var.v
}
resource "terraform_data" "after" {
  input = "${var.v} ${module.m["x"].out}"
}
output "host" { value = terraform_data.host.output }
output "net2" { value = terraform_data.net[2].output }
output "each" { value = terraform_data.each["b"].input }
output "m" { value = module.m["x"].out }
