resource "terraform_data" "a" {
  lifecycle {
    prevent_destroy      = null
    ignore_changes       = [foo, inpt, 1 + 1]
    replace_triggered_by = terraform_data.b
  }
}
resource "terraform_data" "b" {
  lifecycle {
    ignore_changes       = input
    replace_triggered_by = [var.x, local.x, data.foo.b.x, terraform_data.nope, self.id, each.key, module.x.y, terraform_data.b, terraform_data.c[var.x], upper("x"), terraform_data.a.nope]
  }
}
resource "terraform_data" "c" {
  count = 1
  lifecycle {
    ignore_changes = [all]
  }
}
variable "x" {}
locals { x = 1 }
