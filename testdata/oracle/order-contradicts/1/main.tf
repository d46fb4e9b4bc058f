resource "terraform_data" "x" {
  triggers_replace = 1
}
resource "terraform_data" "a" {
  triggers_replace = 1
  input = terraform_data.x.id
}
resource "terraform_data" "d" {
  input = [terraform_data.x.id, terraform_data.a.id]
}
