terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
variable "size" { type = number }
resource "mock_thing" "subnet" {
  count = var.size
  name  = "subnet ${count.index}"
}
output "subnets" { value = mock_thing.subnet[*].id }
