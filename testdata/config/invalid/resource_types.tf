resource "foo_bar" "x" {
  provider = terraform
}
resource "terraform_remote_state" "x" {
}
data "terraform_data" "x" {}
resource "terraform_dat" "x" {
}
resource "mock_thing" "y" {
  siez = 1
  rlue {}
}
resource "elsewhere_thing" "z" {}
resource "elsewhere_thing" "z2" {}
