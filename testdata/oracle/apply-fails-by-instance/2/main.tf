resource "terraform_data" "c" {
  for_each = toset(["x", "y"])
  input    = each.key
  provisioner "local-exec" {
    command = each.key == "x" ? "test -e keep.ok" : "true"
  }
}
resource "terraform_data" "each" {
  for_each = toset(["x", "y"])
  input    = terraform_data.c[each.key].output
}
resource "terraform_data" "numbered" {
  count = 2
  input = terraform_data.c[count.index == 0 ? "x" : "y"].output
}
resource "terraform_data" "follows" {
  for_each = toset(["x", "y"])
  input    = terraform_data.each[each.key].output
}
module "m" {
  source   = "./m"
  for_each = terraform_data.names.input
  me       = each.key
  given    = terraform_data.c[each.key].output
}
resource "terraform_data" "names" {
  input = toset(["x", "y"])
}
resource "terraform_data" "of_module" {
  input = module.m["y"].made
}
output "of_modules" {
  value = { for k, m in module.m : k => m.made }
}
