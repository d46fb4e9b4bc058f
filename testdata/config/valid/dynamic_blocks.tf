resource "mock_thing" "a" {
  name = "x"
  rule {
    port = 1
  }
  dynamic "rule" {
    for_each = var.ports
    content {
      port = rule.value
      note = rule.key
    }
  }
}
variable "ports" { type = list(number) }
