resource "terraform_data" "a" {
  lifecycle {
    ignore_changes = "all"
  }
  provisioner "local-exec" {
    command    = "true"
    when       = "destroy"
    on_failure = "continue"
  }
}
