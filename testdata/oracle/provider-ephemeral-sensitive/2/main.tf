terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "es" {
  type      = string
  default   = "es"
  ephemeral = true
  sensitive = true
}
variable "e" {
  type      = string
  default   = "e"
  ephemeral = true
}
variable "s" {
  default   = "s"
  sensitive = true
}
ephemeral "mock_e" "plain" {
  name = "n"
}
ephemeral "mock_e" "fed" {
  name = "n"
  arg  = var.s
  sarg = "x"
}
ephemeral "mock_e" "eph" {
  name = "n"
  arg  = var.es
  sarg = var.e
}
locals {
  rows = {
    token     = ephemeral.mock_e.plain.token
    plain     = ephemeral.mock_e.plain.plain
    deep_s    = try(ephemeral.mock_e.plain.deep[0].s, "none")
    template  = "x-${ephemeral.mock_e.plain.token}"
    fed_arg   = ephemeral.mock_e.fed.arg
    fed_sarg  = ephemeral.mock_e.fed.sarg
    fed_token = ephemeral.mock_e.fed.token
    fed_plain = ephemeral.mock_e.fed.plain
    eph_arg   = ephemeral.mock_e.eph.arg
    eph_sarg  = ephemeral.mock_e.eph.sarg
    es        = var.es
    e         = var.e
    s         = var.s
    sens      = sensitive(ephemeral.mock_e.plain.plain)
    senst     = sensitive(ephemeral.mock_e.plain.token)
    json      = jsonencode(ephemeral.mock_e.plain)
  }
}
resource "terraform_data" "x" {
  for_each = toset(["token", "plain", "deep_s", "template", "fed_arg", "fed_sarg", "fed_token", "fed_plain", "eph_arg", "eph_sarg", "es", "e", "s", "sens", "senst", "json"])
  lifecycle {
    precondition {
      condition     = issensitive(local.rows[each.key]) == contains(["es", "s", "sens", "senst", "fed_arg", "eph_arg"], each.key)
      error_message = "${each.key} is sensitive, or not"
    }
  }
}
