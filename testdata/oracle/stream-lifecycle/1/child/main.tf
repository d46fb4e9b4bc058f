variable "secret" { sensitive = true }
resource "terraform_data" "inside" { input = var.secret }
