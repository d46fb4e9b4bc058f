resource "terraform_data" "x" {
  count = 1
}
resource "terraform_data" "y" {
}
