resource "terraform_data" "a" {
  provider   = "terraform"
  depends_on = ["terraform_data.b"]
  lifecycle {
    ignore_changes = ["input"]
  }
}
resource "terraform_data" "b" {}
