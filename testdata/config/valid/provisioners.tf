resource "terraform_data" "e" {
  count = 1
  provisioner "local-exec" {
    when       = destroy
    command    = "echo ${path.module} ${count.index} ${self.id}"
    on_failure = continue
  }
  provisioner "file" {
    source      = "a"
    destination = "b"
    connection {
      host = self.output
      port = 22
    }
  }
  provisioner "remote-exec" {
    inline = ["a", terraform_data.f.id]
  }
  connection {
    type = "ssh"
    host = "h"
  }
}
resource "terraform_data" "f" {}
