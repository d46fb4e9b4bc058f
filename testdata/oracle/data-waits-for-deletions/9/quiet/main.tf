data "terraform_remote_state" "inside" {
  backend = "local"
  config  = { path = "keep.core" }
}
