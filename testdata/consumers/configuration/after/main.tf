terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "stage" { default = "live" }
variable "token" {
  default   = "hunter2"
  sensitive = true
}
provider "mock" {
  region = "here"
}
module "net" {
  source = "./net"
  size   = 2
}
resource "mock_thing" "kept" { name = "kept" }
resource "mock_thing" "updated" {
  name     = "updated"
  text     = "one ${var.stage}"
  password = var.token
  disk { size = 1 }
}
resource "mock_thing" "replaced" { name = "second" }
resource "mock_thing" "tainted" { name = "tainted" }
resource "mock_thing" "requested" { name = "requested" }
resource "mock_thing" "new" { name = "moved" }
resource "mock_thing" "drifted" {
  name = "drifted"
  lifecycle { ignore_changes = [text] }
}
resource "mock_thing" "follows" {
  name = "follows"
  text = mock_thing.drifted.text
}
resource "mock_thing" "many" {
  for_each = toset(["a", "b"])
  name     = each.key
}
resource "terraform_data" "version" { input = 2 }
resource "terraform_data" "triggered" {
  input = mock_thing.kept.id
  lifecycle { replace_triggered_by = [terraform_data.version] }
}
resource "terraform_data" "document" {
  input = "one\nzwei\nthree\n"
}
data "mock_lookup" "greeting" { key = "greeting" }
output "kept" { value = mock_thing.kept.id }
output "names" { value = [for m in mock_thing.many : m.name] }
output "token" {
  value     = var.token
  sensitive = true
}
removed {
  from = mock_thing.forgotten
  lifecycle { destroy = false }
}
moved {
  from = mock_thing.old
  to   = mock_thing.new
}
import {
  to = mock_thing.imported
  id = "outside-7"
}
resource "mock_thing" "imported" { name = "imported" }
resource "mock_thing" "created" { name = "created" }
