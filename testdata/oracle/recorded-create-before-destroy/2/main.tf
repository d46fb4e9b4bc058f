resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "z" {
}
