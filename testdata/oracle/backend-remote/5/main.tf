terraform {
  backend "remote" {
    hostname     = "app.example.test"
    organization = "acme"
    workspaces {
      prefix = "net-"
    }
  }
}
data "terraform_remote_state" "net" {
  backend   = "remote"
  workspace = "dev"
  config = {
    hostname     = "app.example.test"
    organization = "acme"
    workspaces   = { prefix = "net-" }
  }
}
output "seen" {
  value = data.terraform_remote_state.net.outputs.a
}
