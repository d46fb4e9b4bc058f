variable "size" {
  type    = number
  default = 3
}
check "heredoc" {
  assert {
    condition     = var.size < 3
    error_message = <<-EOT
      The size is ${var.size}:
        at most 2.
    EOT
  }
}
check "spaces" {
  assert {
    condition     = var.size < 2
    error_message = "\n\t  Too large. \n\n"
  }
}
