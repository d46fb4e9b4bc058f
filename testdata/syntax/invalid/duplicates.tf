locals {
  a = 1
  b = 2
  a = 3
}
variable {}
variable "x" "y" {}
variabel "x" {}
variable "a${b}" {}
variable "c"
provider = 1
moved "x" {}
locals { z = 1 }
