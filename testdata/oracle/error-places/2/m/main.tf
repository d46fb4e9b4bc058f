variable "i" {
  validation {
    condition     = var.i == "y"
    error_message = "Not y."
  }
}
