resource "terraform_data" "a" {
  input = terraform_data.a.id
}
resource "terraform_data" "b" {
  count = length(terraform_data.b)
}
resource "terraform_data" "c" {
  for_each = { a = 1 }
  input    = terraform_data.c["a"].id
}
resource "terraform_data" "d" {
  input = self.id
}
