resource "terraform_data" "kept" {}
