terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}
variable "acl" {
  default = "private"
}
resource "mock_bucket" "b" {
  name = "b"
  acl  = var.acl
  provisioner "local-exec" {
    command = "sed -i s/private/drifted/ $XPLAN_MOCK_DIR/mock_bucket.b.json"
  }
}
output "acl" {
  value = mock_bucket.b.acl
}
