output "o" { valeu = 1 }
resource "terraform_data" "a" {
  provisioner "local-exec" { comand = "x" }
  lifecycle {
    precondition {
      conditon      = var.x
      error_message = "m"
    }
    replace_triggered_by = [var.x, local.y]
  }
}
import {
  too = terraform_data.a
  id  = "x"
}
variable "x" { type = "strng" }
