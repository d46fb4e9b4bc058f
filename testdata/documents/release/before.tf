variable "release" { default = "1.0" }
variable "token" {
  default   = "hunter2"
  sensitive = true
}
resource "terraform_data" "web" {
  for_each = toset(["a", "b", "c", "d"])
  input    = { release = each.key == "c" ? "beta-${var.release}" : var.release }
}
resource "terraform_data" "queue" {
  triggers_replace = var.release
}
resource "terraform_data" "old" {
  input = "to be removed"
}
output "release" { value = var.release }
output "token" {
  value     = "${var.token} and ${var.release}"
  sensitive = true
}
