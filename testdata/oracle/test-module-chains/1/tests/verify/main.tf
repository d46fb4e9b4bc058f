variable "servers" {
  type = list(string)
}
output "count" {
  value = length(var.servers)
}
check "some" {
  assert {
    condition     = length(var.servers) > 1
    error_message = "Only ${length(var.servers)}."
  }
}
