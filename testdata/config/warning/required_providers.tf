terraform {
  required_providers {
    b = { source = "hashicorp/random" }
    c = { source = "hashicorp/random" }
  }
}
