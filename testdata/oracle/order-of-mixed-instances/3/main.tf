variable "n" { default = 0 }
resource "terraform_data" "a" {
  count            = var.n
  triggers_replace = 7
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
