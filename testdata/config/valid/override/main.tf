variable "size" {
  type    = number
  default = 1
}
variable "word" { default = "base" }
locals {
  a = "a"
  b = "b"
}
resource "mock_thing" "svc" {
  name = "base"
  rule {
    port = 1
  }
  lifecycle {
    create_before_destroy = true
  }
}
output "size" {
  value       = var.size
  description = "d"
}
module "m" {
  source = "./m"
  v      = "base"
  w      = "base"
}
