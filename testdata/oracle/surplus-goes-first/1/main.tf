resource "terraform_data" "named" {
  count = 2
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.named"
  }
}
resource "terraform_data" "read" {
  count = 2
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.read"
  }
}
resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.keyed"
  }
}
resource "terraform_data" "turned" {
  count = 2
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.turned"
  }
}
resource "terraform_data" "all" {
  count = 2
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.all"
  }
}
resource "terraform_data" "later" {
  count = 2
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "sleep 0.5; echo gone >>keep.later"
  }
}
module "m" {
  source = "./m"
  count  = 2
}
resource "terraform_data" "by_update" {
  input = 1
}
