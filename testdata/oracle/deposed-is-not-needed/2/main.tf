resource "terraform_data" "root" { input = "r" }
resource "terraform_data" "base" {
  count = 1
  input = terraform_data.root.output
}
resource "terraform_data" "late" {
  input      = "l"
  depends_on = [terraform_data.base]
}
data "terraform_remote_state" "d" {
  backend    = "local"
  config     = { path = "rs.json" }
  depends_on = [terraform_data.base]
}
