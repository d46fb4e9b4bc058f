variable "v" { default = "a" }
variable "mark" { default = false }
resource "terraform_data" "a" { input = var.v }
output "o" { value = terraform_data.a.input }
output "unneeded" {
  value     = 1
  sensitive = true
}
