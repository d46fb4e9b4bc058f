resource "terraform_data" "base" {
  input = 2
}
resource "terraform_data" "reader" {
  input = terraform_data.base.output
}
resource "terraform_data" "other" {
  input = 2
}
resource "terraform_data" "replaced" {
  lifecycle {
    replace_triggered_by = [terraform_data.base.input]
  }
  provisioner "local-exec" {
    when    = destroy
    command = "test -e keep.replaced"
  }
}
resource "terraform_data" "removed" {
  count = 0
  input = "${terraform_data.middle.id}"
  provisioner "local-exec" {
    when    = destroy
    command = "test -e keep.removed"
  }
}
resource "terraform_data" "middle" {
  input = "${terraform_data.far.id}"
}
resource "terraform_data" "far" {
  input = 2
}
resource "terraform_data" "root" {
  triggers_replace = [2]
}
resource "terraform_data" "removed_of_replaced" {
  count = 0
  depends_on = [terraform_data.root]
  provisioner "local-exec" {
    when    = destroy
    command = "test -e keep.removed_of_replaced"
  }
}
