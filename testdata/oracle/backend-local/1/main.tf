terraform {
  backend "local" {
    path = "keep.first.tfstate"
  }
}

resource "terraform_data" "a" {
  input = "kept"
}
