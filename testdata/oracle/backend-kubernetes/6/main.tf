terraform {
  backend "kubernetes" {
    secret_suffix = "state-1"
  }
}
