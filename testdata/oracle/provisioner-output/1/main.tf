variable "token" {
  ephemeral = true
  default   = "t"
}
variable "password" {
  sensitive = true
  default   = "p"
}

resource "terraform_data" "quoted" {
  provisioner "local-exec" {
    command = "true \"it's \u001b[1m \u0007 \u202e \u009b \t \\ \u007f é 日本 \u2028 \u00a0\" 'multi\nline'"
  }
  provisioner "local-exec" {
    command     = "a b"
    interpreter = ["echo", "with \"quotes\"", ""]
  }
}

resource "terraform_data" "lines" {
  provisioner "local-exec" {
    command = "printf 'a\\rb\\n\\r\\n\\n\\nc\\r\\nd\\r\\r\\n  e  \\t\\n   \\nf\\tg\\n'; printf last"
    quiet   = true
  }
}

resource "terraform_data" "secret" {
  provisioner "local-exec" {
    command = "echo ${var.token} ${var.password}; echo two"
  }
  provisioner "local-exec" {
    command = "echo two"
    quiet   = true
    environment = {
      PASSWORD = var.password
    }
  }
  provisioner "local-exec" {
    command = "echo ${var.token}"
  }
}
