resource "terraform_data" "kept" {}
resource "terraform_data" "going" {}
