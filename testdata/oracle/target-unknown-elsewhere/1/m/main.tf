variable "word" {
  type = string
}
resource "terraform_data" "in" {
  input = var.word
}
output "word" {
  value = var.word
}
