variable "v" {
  type    = string
  default = "d"
}
variable "other" {
  type    = list(string)
  default = ["d"]
}
variable "secret" {
  type      = string
  default   = "d"
  sensitive = true
}
resource "terraform_data" "a" {
  input = var.v
}
