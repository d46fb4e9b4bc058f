terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
module "one" {
  source = "./m"
  name   = "one"
}
module "many" {
  source   = "./m"
  for_each = toset(["a", "b"])
  name     = each.key
}
module "counted" {
  source = "./m"
  count  = 2
  name   = "c${count.index}"
}
resource "mock_r" "whole" {
  name = module.one == null ? "x" : "whole"
}
resource "mock_r" "output" {
  name = "output ${module.one.name}"
}
resource "mock_r" "keyed" {
  name = "keyed ${module.many["a"].name}"
}
resource "mock_r" "by_each" {
  for_each = toset(["a", "b"])
  name     = "by each ${module.many[each.key].name}"
}
resource "mock_r" "in_for" {
  name = join(" ", [for k, m in module.many : m.name])
}
resource "mock_r" "splat" {
  name = join(" ", module.counted[*].name)
}
resource "mock_r" "splat_of_one" {
  name = join(" ", module.one[*].name)
}
resource "mock_r" "instance" {
  name = jsonencode(keys(module.many["b"]))
}
resource "mock_r" "counted" {
  name = "counted ${module.counted[0].name}"
}
locals {
  all = module.one
}
resource "mock_r" "local" {
  name = "local ${local.all.name}"
}
resource "mock_r" "each_module" {
  for_each = module.many
  name     = "each module ${each.key}"
}
data "mock_d" "whole" {
  of = jsonencode(keys(module.one))
}
data "mock_d" "output" {
  of = module.one.fixed
}
output "whole" {
  value = module.one
}
