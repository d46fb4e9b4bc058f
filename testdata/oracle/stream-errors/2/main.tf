variable "size" { default = "small" }
resource "terraform_data" "guarded" {
  input = var.size
  lifecycle {
    precondition {
      condition     = var.size == "large"
      error_message = "The size is small."
    }
  }
}
