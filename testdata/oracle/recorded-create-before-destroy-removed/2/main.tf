resource "terraform_data" "g" {
  triggers_replace = 2
}
