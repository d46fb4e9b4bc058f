variable "v" {}
resource "terraform_data" "in" { input = "${var.v} in" }
resource "terraform_data" "host" { input = "${var.v} ${terraform_data.in.input}" }
output "out" { value = terraform_data.host.input }
