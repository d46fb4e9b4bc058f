resource "terraform_data" "network" {
  input            = "10.0.0.0/16"
  triggers_replace = "v1"
}
resource "terraform_data" "subnet" {
  count = 2
  input = "${terraform_data.network.output} #${count.index}"
}
resource "terraform_data" "host" {
  for_each = { web = "a", db = "b" }
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
output "shape" { value = { n = 1, list = [true, null] } }
