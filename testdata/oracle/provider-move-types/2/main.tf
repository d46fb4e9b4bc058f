terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "s" {
  default   = "secret"
  sensitive = true
}
resource "mock_new" "plain" {
  name = "plain"
  text = "t"
}
resource "mock_edits" "edited" {
  name = "edited"
  text = "t"
}
resource "mock_warns" "warned" {
  name = "warned"
  text = "t"
}
resource "mock_new" "chained" {
  name = "chained"
  text = "t"
}
resource "mock_new" "many" {
  count = 2
  name = "many"
  text = "t"
}
resource "mock_new" "secret" {
  name = "secret"
  text = var.s
}
resource "mock_new" "data" {
  name = "data"
  text = "t"
}
resource "mock_new" "changed" {
  name = "changed"
  text = "new"
}
resource "mock_new" "replaced" {
  name = "replaced"
  text = "t"
}
moved {
  from = mock_old.plain
  to   = mock_new.plain
}
moved {
  from = mock_old.edited
  to   = mock_edits.edited
}
moved {
  from = mock_old.warned
  to   = mock_warns.warned
}
moved {
  from = mock_old.chained
  to   = mock_old.passing
}
moved {
  from = mock_old.passing
  to   = mock_new.chained
}
moved {
  from = mock_old.many
  to   = mock_new.many
}
moved {
  from = mock_old.secret
  to   = mock_new.secret
}
moved {
  from = terraform_data.d
  to   = mock_new.data
}
moved {
  from = mock_old.back
  to   = mock_new.changed
}
moved {
  from = mock_old.replaced
  to   = mock_new.replaced
}
