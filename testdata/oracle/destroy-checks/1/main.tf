module "one" {
  source   = "./m"
  x        = 1
}
module "two" {
  source   = "./m"
  count    = 2
  x        = count.index
}
module "each" {
  source   = "./m"
  for_each = toset(["p"])
  x        = each.key
}
output "root" {
  value = module.one.o
  precondition {
    condition     = module.one.o != 7
    error_message = "Seven."
  }
}
resource "terraform_data" "checked" {
  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "No id."
    }
  }
}
check "up" {
  assert {
    condition     = module.one.o == "never"
    error_message = "Never."
  }
}
