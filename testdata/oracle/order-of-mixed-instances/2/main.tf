variable "n" { default = 1 }
resource "terraform_data" "a" {
  count            = var.n
  triggers_replace = var.n
  provisioner "local-exec" {
    command = "echo create ${count.index} >> keep.log"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.2; echo destroy ${count.index} >> keep.log"
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a[*].id
}
