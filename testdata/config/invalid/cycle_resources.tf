resource "terraform_data" "a" {
  input = terraform_data.b.id
}
resource "terraform_data" "b" {
  depends_on = [terraform_data.c]
}
resource "terraform_data" "c" {
  count = 1
  lifecycle {
    replace_triggered_by = [terraform_data.a]
  }
}
