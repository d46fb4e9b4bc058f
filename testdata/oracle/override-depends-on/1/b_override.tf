resource "terraform_data" "b" {
  input      = 1
  depends_on = []
}
