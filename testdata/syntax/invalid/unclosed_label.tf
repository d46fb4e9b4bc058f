resource "terraform_data" "a {
  input = 1
}

resource "terraform_data b {
  input = {
    x = 1
  }
}

resource "terraform_data" c" {
  provisioner "local-exec {
    command = "true"
  }
}

resource "terraform_data" "d" {
  provisioner "local-exec {
    command = "true"
  }
  input = "text {
  triggers_replace = 2
}
