resource "terraform_data" "a" {
  depends_on = ["b", "nope", m]
  lifecycle {
    replace_triggered_by = ["terraform_data.b"]
  }
}
resource "terraform_data" "b" {
}
