resource "terraform_data" "x" {
}
resource "terraform_data" "y" {
}
resource "terraform_data" "z" {
  count = 2
}
