resource "terraform_data" "x" {
  triggers_replace = 2
}
resource "terraform_data" "a" {
  triggers_replace = 2
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "d" {
  input = [terraform_data.x.id, terraform_data.a.id]
}
