resource "terraform_data" "b" {
  triggers_replace = 2
  provisioner "local-exec" {
    when = destroy
    command = "sleep 0.5; echo destroy b >> keep.log"
  }
}
resource "terraform_data" "a" {
  triggers_replace = 2
  provisioner "local-exec" {
    when = destroy
    command = "echo destroy a >> keep.log"
  }
}
