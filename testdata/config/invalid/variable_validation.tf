variable "v1" {
  validation {}
}
variable "v2" {
  validation {
    condition     = true
    error_message = "x"
  }
}
variable "v3" {
  validation {
    condition     = var.v1 == 1
    error_message = "x"
  }
}
variable "v4" {
  validation {
    condition     = var.v4 == 1
    error_message = 5
    foo           = 1
  }
}
variable "v5" {
  validation {
    condition     = self == 1 && count.index == 1 && each.key == 1 && var.v5 == 1
    error_message = "no dot ${var.nope}"
  }
}
