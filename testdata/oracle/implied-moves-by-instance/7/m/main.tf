resource "terraform_data" "b" {}
resource "terraform_data" "c" {}
