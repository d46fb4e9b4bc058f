# terraform_data: values alone, and the data source of remote states.
variable "name" {}
variable "text" {}
variable "fail" { default = false }
variable "wrong" { default = false }

resource "terraform_data" "a" {
  input            = { text = var.text }
  triggers_replace = var.name
}
resource "terraform_data" "b" {
  for_each = toset(["x", "y"])
  input    = "${terraform_data.a.input.text} for ${each.key}"
}
data "terraform_remote_state" "other" {
  backend = "local"
  config  = { path = "other.tfstate" }
}
resource "terraform_data" "broken" {
  count = var.fail ? 1 : 0
  input = terraform_data.a.id
  provisioner "local-exec" {
    command = "exit 3"
  }
}
resource "terraform_data" "wrong" {
  count = var.wrong ? 1 : 0
  lifecycle {
    precondition {
      condition     = var.text == "never"
      error_message = "The text is ${var.text}."
    }
  }
}
output "told" { value = "${data.terraform_remote_state.other.outputs.greeting}, ${terraform_data.b["x"].output}" }
output "secret" {
  value     = sensitive("hunter2")
  sensitive = true
}
