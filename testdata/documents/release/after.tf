variable "release" { default = "1.1" }
variable "token" {
  default   = "hunter3"
  sensitive = true
}
resource "terraform_data" "web" {
  for_each = toset(["a", "b", "c", "d"])
  input    = { release = each.key == "c" ? "beta-${var.release}" : var.release }
}
resource "terraform_data" "queue" {
  triggers_replace = var.release
}
resource "terraform_data" "secret" {
  input = { token = var.token, lines = "one\n2\nthree" }
}
output "release" { value = var.release }
output "token" {
  value     = "${var.token} and ${var.release}"
  sensitive = true
}
resource "terraform_data" "new" {
  count = 2
  input = "new ${count.index}"
}
removed {
  from = terraform_data.old
}
check "release" {
  assert {
    condition     = var.release == "1.0"
    error_message = "Release ${var.release} is not approved."
  }
}
