variable "eph" {
  type      = string
  ephemeral = true
}
variable "t" {
  type = list(string)
}
resource "terraform_data" "a" { input = var.t }
