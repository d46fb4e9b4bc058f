terraform {
  backend "s3" {
    bucket         = "tfb"
    key            = "net/terraform.tfstate"
    use_lockfile   = true
    dynamodb_table = "locks"
    use_path_style = true
  }
}
resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.output
}
output "a" {
  value = terraform_data.a.output
}
