variable "ok" {
  default = true
}
resource "terraform_data" "p" {
  provisioner "local-exec" {
    command = var.ok ? "echo made" : "exit 3"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo destroying"
  }
}
