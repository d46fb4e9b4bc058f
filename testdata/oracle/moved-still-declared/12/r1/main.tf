resource "terraform_data" "r1" {
}
