variable "i" {
  default = "x"
  validation {
    condition     = var.i == "y"
    error_message = "Not y."
  }
  validation {
    condition     = var.i == "z"
    error_message = "Not z."
  }
}
