resource "terraform_data" "a" {
  input = "1"
}
resource "terraform_data" "b" {
  input = terraform_data.a.output == "9" ? "nine" : "other"
}
resource "terraform_data" "c" {
  input = "c"
}
