provider "terraform" {}
resource "terraform_data" "z" {}
