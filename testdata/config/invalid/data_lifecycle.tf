data "terraform_remote_state" "a" {
  backend = "local"
  lifecycle {
    create_before_destroy = true
    ignore_changes        = all
  }
  provisioner "x" {}
}
ephemeral "mock_secret" "s" {
  lifecycle {
    prevent_destroy = true
  }
  connection {}
}
