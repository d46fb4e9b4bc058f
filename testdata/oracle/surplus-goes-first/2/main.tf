resource "terraform_data" "named" {
  count = 1
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.named"
  }
}
resource "terraform_data" "by_name" {
  depends_on = [terraform_data.named]
  provisioner "local-exec" {
    command = "echo made >>keep.named"
  }
}
resource "terraform_data" "read" {
  count = 1
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.read"
  }
}
resource "terraform_data" "between" {
  input = terraform_data.read[0].id
}
resource "terraform_data" "by_reading" {
  input = terraform_data.between.id
  provisioner "local-exec" {
    command = "echo made >>keep.read"
  }
}
resource "terraform_data" "keyed" {
  for_each = toset(["a"])
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.keyed"
  }
}
locals {
  keys = keys(terraform_data.keyed)
}
resource "terraform_data" "by_keys" {
  input = local.keys
  provisioner "local-exec" {
    command = "echo made >>keep.keyed"
  }
}
resource "terraform_data" "turned" {
  for_each = toset(["a"])
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.turned"
  }
}
resource "terraform_data" "by_turned" {
  depends_on = [terraform_data.turned]
  provisioner "local-exec" {
    command = "echo made >>keep.turned"
  }
}
resource "terraform_data" "all" {
  count = 0
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.all"
  }
}
resource "terraform_data" "by_all" {
  depends_on = [terraform_data.all]
  provisioner "local-exec" {
    command = "echo made >>keep.all"
  }
}
resource "terraform_data" "later" {
  count = 1
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.later"
  }
}
resource "terraform_data" "by_later" {
  depends_on = [terraform_data.later]
  provisioner "local-exec" {
    command = "echo made >>keep.later"
  }
}
module "m" {
  source = "./m"
  count  = 1
}
resource "terraform_data" "by_module" {
  depends_on = [module.m]
  provisioner "local-exec" {
    command = "echo made >>keep.module"
  }
}
resource "terraform_data" "by_update" {
  input = terraform_data.read[*].id
}
