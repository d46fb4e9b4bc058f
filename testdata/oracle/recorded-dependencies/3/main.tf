resource "terraform_data" "a" {
  provisioner "local-exec" {
    when = destroy
    command = "echo destroy a >> keep.log"
  }
}
resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.id
  provisioner "local-exec" {
    when = destroy
    command = "sleep 0.5; echo destroy b >> keep.log"
  }
}
