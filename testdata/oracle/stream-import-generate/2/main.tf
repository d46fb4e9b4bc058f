removed {
  from = terraform_data.kept
  lifecycle { destroy = false }
}
resource "terraform_data" "adopted" { input = "new" }
resource "terraform_data" "written" {}
