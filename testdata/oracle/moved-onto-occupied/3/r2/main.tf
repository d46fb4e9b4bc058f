resource "terraform_data" "r2" {
}
