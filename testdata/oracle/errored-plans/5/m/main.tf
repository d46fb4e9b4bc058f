variable "v" {}
resource "terraform_data" "in" {
  for_each = toset(["x", "y"])
  input    = var.v
  lifecycle {
    postcondition {
      condition     = each.key == "x"
      error_message = "No."
    }
  }
}
output "o" {
  value = terraform_data.in["x"].output
}
check "inside" {
  assert {
    condition     = terraform_data.in["x"].input == "b"
    error_message = "not b"
  }
}
