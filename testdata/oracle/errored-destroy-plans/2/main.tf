resource "terraform_data" "a" {
  input = "a"
  lifecycle { prevent_destroy = true }
}
resource "terraform_data" "b" { input = "b" }
resource "terraform_data" "c" {
  input = tonumber(terraform_data.b.output)
}
