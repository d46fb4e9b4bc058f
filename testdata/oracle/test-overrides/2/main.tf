variable "x" { default = 1 }
data "terraform_remote_state" "s" {
  count = 2
  backend = "local"
  config = { path = "nope${count.index}" }
}
output "o" { value = [for s in data.terraform_remote_state.s : try(s.outputs.a, "none")] }
