resource "terraform_data" "x" {
}
resource "terraform_data" "z" {
}
