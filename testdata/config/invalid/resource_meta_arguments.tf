resource "terraform_data" "a" {
  count      = 1
  for_each   = {}
  depends_on = "x"
  lifecycle {
    create_before_destroy = "x"
    prevent_destroy       = var.x
    ignore_changes        = ["*"]
    replace_triggered_by  = [var.x]
    foo                   = 1
  }
  lifecycle {}
  connection {}
  connection {}
  locals {}
  provisioner "local-exec" {
    command    = "x"
    when       = foo
    on_failure = bar
    lifecycle {}
    connection {}
    connection {}
  }
  provisioner "chef" {}
  provisioner {}
  _ {}
  _ {}
}
resource "terraform_data" "b" {
  provider = foo.bar.baz
}
resource "terraform_data" "c" {
  provider = foo["x"]
}
resource "terraform_data" "d" {
  provider = ["a"]
}
resource "terraform_data" "b" {
}
resource "9" "9" {
}
data "terraform_remote_state" "d" {
  backend = "local"
}
data "terraform_remote_state" "d" {
  backend = "local"
}
