variable "on" { default = false }
resource "terraform_data" "x" {
  for_each         = var.on ? { a = 1 } : {}
  input            = local.settings.nope
  triggers_replace = [for i in range("a") : i]
}
locals { settings = {} }
