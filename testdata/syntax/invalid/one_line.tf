variable "a" { type = string, default = 2 }
variable "b" { type = string default = 2 }
variable "c" { type = string
}
variable "d" { validation {
} }
resource "e" "f" { x { y = 1 } }
resource "g" "h" {} resource "i" "j" {}
variable "k" {
  type = string }
locals { l = 1 }
