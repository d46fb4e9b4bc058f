# Types of every shape that both protocols have.
variable "name" {}
variable "text" {}
variable "fail" { default = false }
variable "wrong" { default = false }

provider "mock" {
  region = "here"
}
resource "mock_thing" "a" {
  name     = var.name
  text     = var.text
  password = "hunter2"
  tags     = { of = var.text }
  disk {
    size = 3
  }
}
resource "mock_thing" "b" {
  for_each = toset(["x", "y"])
  name     = each.key
  text     = "${mock_thing.a.text} for ${each.key}"
}
data "mock_lookup" "other" {
  key = "greeting"
}
resource "mock_thing" "broken" {
  count = var.fail ? 1 : 0
  name  = "broken"
  text  = mock_thing.a.id
}
resource "mock_thing" "wrong" {
  count = var.wrong ? 1 : 0
  name  = "wrong"
  lifecycle {
    precondition {
      condition     = var.text == "never"
      error_message = "The text is ${var.text}."
    }
  }
}
output "told" { value = "${data.mock_lookup.other.value}, ${mock_thing.b["x"].text}" }
output "secret" {
  value     = mock_thing.a.password
  sensitive = true
}
