resource "terraform_data" "x" {
  count = 1
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.module"
  }
}
