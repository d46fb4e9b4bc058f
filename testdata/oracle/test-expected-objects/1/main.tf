terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}
variable "owner" {
  default = "acme"
}
data "mock_image" "i" {
  for_each = toset(["a", "b"])
  name     = each.key
  lifecycle {
    postcondition {
      condition     = self.owner == var.owner || each.key == "a"
      error_message = "Owner of ${each.key}."
    }
  }
}
resource "terraform_data" "r" {
  for_each = toset(["x", "y"])
  input    = each.key
  lifecycle {
    precondition {
      condition     = each.key == "x" || var.owner != "none"
      error_message = "No owner for ${each.key}."
    }
  }
}
