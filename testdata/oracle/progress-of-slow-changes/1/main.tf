resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "sleep 11"
    quiet   = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 11"
    quiet   = true
  }
}
