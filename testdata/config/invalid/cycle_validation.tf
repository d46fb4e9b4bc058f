variable "a" {
  default = 1
  validation {
    condition     = local.b > 0 && var.a > 0
    error_message = "x"
  }
}
locals { b = var.a }
