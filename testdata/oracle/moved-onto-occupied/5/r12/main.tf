resource "terraform_data" "r1" {
}
resource "terraform_data" "r2" {
}
