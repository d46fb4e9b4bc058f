variable "on" {
  default = true
}
resource "terraform_data" "a" {
  count = 1
  lifecycle {
    enabled = var.on
  }
}
resource "terraform_data" "b" {
  lifecycle {
    enabled = terraform_data.b.id != null
  }
}
resource "terraform_data" "c" {
  lifecycle {
    enabled = each.key == "x"
  }
}
resource "terraform_data" "fine" {
  lifecycle {
    enabled = var.on
  }
}
output "key" {
  value = terraform_data.fine[0].id
}
data "terraform_remote_state" "d" {
  backend = "local"
  lifecycle {
    enabled         = var.on
    prevent_destroy = true
  }
}
module "m" {
  source   = "./m"
  for_each = {}
  lifecycle {
    enabled = true
    destroy = true
  }
}
