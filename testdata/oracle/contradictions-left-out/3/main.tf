resource "terraform_data" "other" {}
removed {
  from = terraform_data.other
  lifecycle {
    destroy = false
  }
}
