variable "fail" {
  default = false
}
resource "terraform_data" "b" {
  input = "v"
  provisioner "local-exec" {
    command = var.fail ? "exit 3" : "echo created"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo bye ${self.input} >> keep.log"
  }
}
output "log" {
  value = try(file("keep.log"), "")
}
