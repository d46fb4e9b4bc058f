resource "terraform_data" "a" {
  input = "a"
  lifecycle { prevent_destroy = true }
}
resource "terraform_data" "b" { input = "b" }
