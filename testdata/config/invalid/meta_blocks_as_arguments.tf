resource "terraform_data" "a" {
  lifecycle = {
    prevent_destroy = true
  }
  provisioner = { command = "x" }
  depend_on   = []
  foreach     = {}
}
