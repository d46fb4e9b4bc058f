data "terraform_remote_state" "late" {
  backend    = "local"
  config     = { path = "${path.module}/other.json" }
  depends_on = [terraform_data.network]
}
resource "terraform_data" "network" { input = "n" }
data "terraform_remote_state" "now" {
  backend = "local"
  config  = { path = "${path.module}/other.json" }
}
output "q" { value = data.terraform_remote_state.now.outputs.q }
