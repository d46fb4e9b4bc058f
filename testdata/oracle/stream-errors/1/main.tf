variable "size" { default = "small" }
resource "terraform_data" "first" {
  input = var.size
  provisioner "local-exec" {
    command = "echo no; exit 3"
  }
}
resource "terraform_data" "second" { input = terraform_data.first.output }
check "size" {
  assert {
    condition     = var.size == "large"
    error_message = "The size is small."
  }
}
