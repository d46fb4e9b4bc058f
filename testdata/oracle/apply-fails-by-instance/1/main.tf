resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  input    = each.key
  provisioner "local-exec" {
    command = each.key == "x" ? "test -e keep.ok" : "true"
  }
}

# Made, whatever becomes of a["x"].
resource "terraform_data" "by_key" {
  input = terraform_data.a["y"].output
}
locals {
  y = terraform_data.a["y"].output
}
resource "terraform_data" "through_local" {
  input = local.y
}
resource "terraform_data" "waits_for_y" {
  input      = "after y"
  depends_on = [terraform_data.a["y"]]
}
output "y" {
  value = terraform_data.a["y"].output
}

# Not made.
resource "terraform_data" "waits_for_all" {
  input      = "after all"
  depends_on = [terraform_data.a]
}
resource "terraform_data" "counts" {
  input = length(terraform_data.a)
}
resource "terraform_data" "follows" {
  input = terraform_data.by_failed.output
}
resource "terraform_data" "by_failed" {
  input = terraform_data.a["x"].output
}
output "all" {
  value = [for a in terraform_data.a : a.output]
}
