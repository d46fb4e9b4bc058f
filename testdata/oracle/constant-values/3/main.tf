variable "t" {
  type    = string
  default = "x"
}
variable "eph" {
  type      = string
  ephemeral = true
  default   = "e"
}
variable "ephn" {
  type      = string
  ephemeral = true
  default   = null
}
variable "sens" {
  type      = string
  sensitive = true
  default   = "s"
}
variable "num" {
  type    = number
  default = "5"
}
variable "nulled" {
  type    = string
  default = null
}
variable "obj" {
  type    = object({ a = optional(string, "z"), b = number })
  default = { b = "3" }
}
variable "desc" {
  description = "d"
  nullable    = false
  default     = "x"
  validation {
    condition     = var.desc != ""
    error_message = "e"
  }
}
output "o" { value = var.t }
