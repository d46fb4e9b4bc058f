data "terraform_remote_state" "a" {
  backend = "s3"
  config = {
    bucket         = "tfb"
    key            = "missing"
    region         = "us-east-1"
    use_path_style = true
  }

  defaults = { first = "default" }
}
output "first" {
  value = data.terraform_remote_state.a.outputs.first
}
