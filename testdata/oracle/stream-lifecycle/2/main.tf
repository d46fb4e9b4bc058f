resource "terraform_data" "network" {
  input            = "10.1.0.0/16"
  triggers_replace = "v2"
}
resource "terraform_data" "range" {
  count = 2
  input = "${terraform_data.network.output} #${count.index}"
}
resource "terraform_data" "host" {
  for_each = { web = "a" }
  input    = each.value
  provisioner "local-exec" {
    command = "echo made; echo twice"
  }
}
module "child" {
  source = "./child"
  secret = "s3cret"
}
output "network" { value = terraform_data.network.output }
output "secret" {
  value     = "s3cret"
  sensitive = true
}
moved {
  from = terraform_data.subnet
  to   = terraform_data.range
}
