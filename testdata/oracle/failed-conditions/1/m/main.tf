variable "bad" {}
output "mo" {
  value = "v"
  precondition {
    condition     = !var.bad
    error_message = "mod out"
  }
}
