resource "terraform_data" "new" {}
