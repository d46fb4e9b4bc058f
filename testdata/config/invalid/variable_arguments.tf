variable "t1" { type = "string" }
variable "t4" { type = strin }
variable "t6" { type = optional(string) }
variable "d1" { default = var.t1 }
variable "d2" {
  default = "a"
  type    = number
}
variable "d3" { default = upper("a") }
variable "d4" {
  type    = object({ a = string, b = optional(number, 1) })
  default = { b = 2 }
}
variable "n1" {
  default  = null
  nullable = false
}
variable "s1" { sensitive = "yes" }
variable "s2" { sensitive = var.x }
variable "s4" { sensitive = null }
variable "e1" { ephemeral = [] }
variable "de" { description = var.x }
variable "u1" { foo = 1 }
variable "u2" {
  blah {}
}
