data "terraform_remote_state" "a" {
  backend = "gcs"
  config = {
    bucket = "tfb"
    prefix = "missing"
  }
  workspace = "other"
  defaults = { first = "default" }
}
output "first" {
  value = data.terraform_remote_state.a.outputs.first
}
