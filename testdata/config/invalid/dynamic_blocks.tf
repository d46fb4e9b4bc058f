resource "mock_thing" "a" {
  name = "x"
  dynamic "rule" {
    for_each = var.ports
    content {
      port = rule.value
      note = other.value
    }
  }
  dynamic "rule" {
    for_each = [1]
    iterator = it
    content {
      port = it.value
      note = rule.value
      colour = 1
    }
  }
  dynamic "ruel" {
    for_each = []
    content {}
  }
}
variable "port" {}
