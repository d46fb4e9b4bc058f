data "terraform_remote_state" "a" {
  config = { path = "other.tfstate" }
}
