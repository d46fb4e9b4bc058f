resource "terraform_data" "a" {
  provisioner "local-exec" {}
  provisioner "local-exec" {
    command = "echo ${terraform_data.a.id}"
    bogus   = 1
  }
  provisioner "local-exek" {}
  connection {
    bogus = 1
    host  = each.key
  }
}
resource "terraform_data" "d" {
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${var.x} ${path.module} ${terraform.workspace} ${self.id} ${local.x} ${each.key} ${each.value}"
  }
  connection {
    host = var.x
  }
}
variable "x" {}
locals { x = 1 }
