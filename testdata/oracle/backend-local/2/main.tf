terraform {
  backend "local" {
    path = "keep.second.tfstate"
  }
}

resource "terraform_data" "a" {
  input = "kept"
}
